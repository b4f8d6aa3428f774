import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { slug } from 'github-slugger'
import { filled } from '../../cli/shared/template.ts'
import { CATALOGUE, SECTIONS } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase } from '../../conformance/contracts/webhook/model.ts'
import { check, renderHtml, renderTerminal } from '../../conformance/index.ts'
import { FOREIGN } from '../../test/foreign/receivers.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { settingOf } from '../../test/mutants/proof/grade.ts'
import { startReceiver } from '../../test/mutants/receiver.ts'
import { VARIANTS } from '../../test/mutants/variants.ts'
import { readExamples } from '../examples/example.ts'
import { readLibraries } from '../libraries/library.ts'
import { type CaseResults, readResults } from '../shared/results.ts'
import { contractPages } from './cases.ts'
import { causePages } from './causes.ts'
import { handlerPages } from './handlers/pages.ts'
import { serviceLinks, servicePages } from './services.ts'

/**
 * Corrects the anchors in the pages of the API. TypeDoc counts a type and the property of another one that reads alike as
 * one name, and numbers the anchor of the second, although a page has only one such heading.
 */
export function correctAnchors(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    const corrected = text.replace(/\]\(([^)#]*)#([\w-]+)-1\)/g, (link, path: string, anchor: string) => {
      const target = path === '' ? text : readFileSync(join(dirname(file), path), 'utf8')
      return headings(target, anchor) > 1 ? link : `](${path}#${anchor})`
    })
    if (corrected !== text) writeFileSync(file, corrected)
  }
}

function headings(text: string, anchor: string): number {
  const names = [...text.matchAll(/^#+ (.*)$/gm)].map(([, name = '']) => name)
  return names.filter((name) => name.toLowerCase().replace(/[^\w -]/g, '') === anchor).length
}

/** What makes a verdict credible, in a paragraph that the landing page includes. */
function trustPart(): Map<string, string> {
  const correct = Object.keys(VARIANTS).length + Object.keys(FOREIGN).length
  return new Map([
    [
      '_trust.md',
      `Each of the ${CATALOGUE.length} cases can fail, and none fails a correct receiver: ${Object.keys(MUTANTS).length} receivers with one deliberate
defect each fail the cases that target it, ${correct} correct receivers fail none, and the suite shares no code with the
reference receiver. See [what it proves, and what it cannot](/docs/check#what-it-proves), the [kill matrix](/docs/kill-matrix)
and the [proofs](/docs/proofs).
`,
    ],
  ])
}

const SECRET = 'whsec_c2FtcGxlIHNlY3JldCBvZiB0aGUgc2l0ZQ'
/** The page must not depend on how busy the machine is that builds the site. */
const PATIENT = { timeoutMs: 120_000, ackWithinMs: 60_000 }
/** The commonest mistake of all. */
const MISTAKE = 're-serializes the body'

/**
 * Grades a receiver with one mistake, and writes its report as a page.
 *
 * @param folder of the files that the site serves as they are
 * @returns the beginning of the report on a terminal, each entry in one line: the conclusion and the first cause
 */
async function writeSampleReport(folder: string): Promise<string> {
  const mutant = MUTANTS[MISTAKE]
  if (mutant === undefined) throw new Error(`no mutant ${MISTAKE}`)
  const receiver = await startReceiver(SECRET, settingOf(mutant))
  try {
    const report = await check({ url: receiver.url, secret: SECRET, seed: 'site', ...PATIENT })
    // The port is another one in every run.
    const shown = JSON.parse(
      JSON.stringify(report).replaceAll(new URL(receiver.url).host, 'localhost:3000'),
    ) as typeof report
    await mkdir(folder, { recursive: true })
    await writeFile(`${folder}/sample-report.html`, renderHtml(shown))
    return beginningOf(renderTerminal(shown, { short: true }))
  } finally {
    receiver.stop()
  }
}

/** @throws Error if the report has another shape */
function beginningOf(report: string): string {
  const [conclusion = '', cause = ''] = report.split('\n\n')
  const [card] = cause.split(/\n *Reproduce /)
  if (!conclusion.startsWith('Not conformant') || card === undefined || !/^ *Received /m.test(card))
    throw new Error(`the sample report begins otherwise:\n${report}`)
  // The long address would wrap.
  return `${conclusion.split('\nhookproof ')[0]}\n\n${card.replace(/\n *Docs .*/, '')}\n`
}

interface Row {
  readonly name: string
  readonly title: string
  readonly link: string
  readonly results: CaseResults | undefined
}

/** The matrix of the payment service: examples and libraries by section, each cell with a link to the cases that did not pass. */
export function matrixPage(): Map<string, string> {
  const [examples, libraries] = [readResults('examples'), readResults('libraries')]
  const exampleRows = readExamples().map(({ name, title }) => ({
    name,
    title,
    link: `/handlers/${name}`,
    results: examples[name],
  }))
  const own = readLibraries().filter(({ service }) => service === undefined)
  const libraryRows = own.map(({ name, title, version }) => ({
    name,
    title: `${title} ${version}`,
    link: `/docs/libraries#${slug(title)}`,
    results: libraries[name],
  }))
  return new Map([
    [
      'matrix.md',
      filled(new URL('templates/matrix.md.eta', import.meta.url), {
        examples: table(exampleRows),
        libraries: table(libraryRows),
        failures: [...exampleRows, ...libraryRows].flatMap(failures).join('\n\n'),
      }),
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

/**
 * Writes what follows from the catalogue, the examples and their results: pages, and a sample report.
 *
 * @param site the folder of the site
 */
export async function writePages(site: string): Promise<void> {
  const folder = join(site, 'pages')
  await rm(folder, { recursive: true, force: true })
  const beginning = await writeSampleReport(join(site, 'public'))
  const files = [
    ...handlerPages(),
    ...contractPages(),
    ...causePages(serviceLinks()),
    ...servicePages(),
    ...matrixPage(),
    ...trustPart(),
    ['sample-report.txt', beginning] as const,
  ]
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}
