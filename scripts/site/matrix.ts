import { CATALOGUE, SECTIONS } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase } from '../../conformance/contracts/payment-service/model.ts'
import { readExamples } from '../examples/example.ts'
import { readLibraries } from '../libraries/library.ts'
import { anchorOf } from '../shared/anchor.ts'
import { type CaseResults, readResults } from '../shared/results.ts'

interface Row {
  readonly name: string
  readonly title: string
  readonly link: string
  readonly results: CaseResults | undefined
}

/** The matrix: the examples and the libraries by section, each cell with a link to the cases that did not pass. */
export function matrixPage(): Map<string, string> {
  const [examples, libraries] = [readResults('examples'), readResults('libraries')]
  const exampleRows = readExamples().map(({ name, title }) => ({
    name,
    title,
    link: `/handlers/${name}`,
    results: examples[name],
  }))
  const libraryRows = readLibraries().map(({ name, title, version }) => ({
    name,
    title: `${title} ${version}`,
    link: `/docs/libraries#${anchorOf(title)}`,
    results: libraries[name],
  }))
  return new Map([
    [
      'matrix.md',
      `---
title: Results
outline: 2
aside: false
---

# Results

Each cell counts the cases that passed, of those that ran. A cell with failures links to their list below. The figures come
from the reports of \`npm run examples -- --write\` and \`npm run libraries -- --write\`.

## Examples

The [handlers to copy](/handlers/), in the full profile.

${table(exampleRows)}

## Libraries

Public libraries that verify the same header scheme, in the sections that a verifier decides. They are written for their own
services, whose rules can differ: [Libraries](/docs/libraries) says what decides each result.

${table(libraryRows)}

## What did not pass

${[...exampleRows, ...libraryRows].flatMap(failures).join('\n\n') || 'Nothing.'}
`,
    ],
  ])
}

function table(rows: readonly Row[]): string {
  const sections = SECTIONS.filter(({ id }) => rows.some(({ results }) => results?.passed[id] !== undefined))
  const lines = rows.map(({ name, title, link, results }) => {
    const cells = sections.map(({ id }) => (results === undefined ? 'not graded' : cell(name, id, results)))
    return `| [${title}](${link}) | ${cells.join(' | ')} |`
  })
  const isWide = sections.length > 6
  return [
    `<div class="matrix${isWide ? ' upright' : ''}">`,
    '',
    `| receiver | ${sections.map(({ title }) => `<span>${title}</span>`).join(' | ')} |`,
    `| --- | ${sections.map(() => '---').join(' | ')} |`,
    ...lines,
    '',
    '</div>',
  ].join('\n')
}

function cell(name: string, section: string, { passed, others }: CaseResults): string {
  const count = passed[section]
  if (count === undefined) return ''
  const outcomes = Object.entries(others).flatMap(([id, outcome]) =>
    sectionOf(id) === section ? outcome : [],
  )
  const text = `${count}/${count + outcomes.length}`
  if (outcomes.length === 0) return `<span class="passed">${text}</span>`
  const isFailed = outcomes.some((outcome) => outcome !== 'warning')
  const [mark, kind] = isFailed ? ['✗', 'failed'] : ['!', 'warning']
  return `<span class="${kind}">[${text} ${mark}](#${name}-${section})</span>`
}

/** The list of a receiver's cases that did not pass, by section. */
function failures({ name, title, link, results }: Row): string[] {
  const others = Object.entries(results?.others ?? {})
  if (others.length === 0) return []
  const lists = SECTIONS.flatMap((section) => {
    const here = others.filter(([id]) => sectionOf(id) === section.id)
    const lines = here.map(([id, outcome]) => `- ${outcome}: [\`${id}\`](/cases/${id}). ${impactOf(id)}`)
    return here.length === 0 ? [] : [`#### ${section.title} {#${name}-${section.id}}`, lines.join('\n')]
  })
  return [`### ${title}`, `[What decides this result](${link})`, ...lists]
}

const sectionOf = (id: string): string => id.replace(/\/.*/, '')
const byId = new Map<string, CatalogueCase>(CATALOGUE.map((testCase) => [testCase.id, testCase]))
const impactOf = (id: string): string => byId.get(id)?.impact ?? ''
