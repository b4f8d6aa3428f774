import { readFile } from 'node:fs/promises'
import { githubWorkflow } from '../../cli/commands/init/workflow.ts'
import { CATALOGUE, SECTIONS } from '../../conformance/catalogue/index.ts'
import { CONTRACT, UNTESTABLE } from '../../conformance/generated/contract.ts'
import { packageVersion } from '../../conformance/version.ts'
import { vectors } from '../../fixtures/index.ts'
import { goldenEvents } from '../../fixtures/samples.ts'
import { SCENARIOS } from '../../fixtures/scenarios.ts'
import { refusals } from '../../receiver/errors.ts'
import { FOREIGN } from '../../test/foreign/receivers.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { VARIANTS } from '../../test/mutants/variants.ts'

/** Writes the documents that follow from code, and the numbers in those that people write. */
export async function generateDocs(): Promise<Map<string, string>> {
  return new Map([
    ['docs/cases.md', cases()],
    ['docs/codes.md', codes()],
    ['docs/examples/github-workflow.yml', githubWorkflow(packageVersion())],
    ['README.md', withNumbers(await readFile('README.md', 'utf8'))],
  ])
}

function cases(): string {
  const sections = SECTIONS.map(({ id, title }, index) => {
    const rows = CATALOGUE.filter(({ section }) => section === id).map(
      (one) =>
        `| \`${one.id}\` | ${one.number} | ${one.level} | ${one.needs === 'effects' ? 'full' : 'core'}${one.mode === undefined ? '' : `, ${one.mode} mode`} | ${one.impact} |`,
    )
    return [
      `## ${index + 1}. ${title}`,
      '',
      '| case | SPEC.md | level | profile | what a failure means |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
  })
  return `# The cases

Every case of the catalogue, by the section of [SPEC.md](../SPEC.md) that it tests. \`hookproof explain <case>\` tells
what one sends and expects. This page is written by \`npm run generate\`.

${sections.join('\n\n')}
`
}

function codes(): string {
  const rows = Object.entries(refusals).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  )
  return `# The receiver's codes

What the reference receiver answers when it refuses: \`{ "error": "...", "code": "..." }\`. A code keeps its meaning; a
message may be reworded. This page is written by \`npm run generate\`.

| code | status | message |
| --- | --- | --- |
${rows.join('\n')}
`
}

/** Fills in every \`<!-- n:name -->\` of a document with the number of that name. */
function withNumbers(text: string): string {
  const numbers: Readonly<Record<string, number>> = {
    cases: CATALOGUE.length,
    core: CATALOGUE.filter(({ needs }) => needs === undefined).length,
    full: CATALOGUE.filter(({ needs }) => needs === 'effects').length,
    requirements: CONTRACT.length,
    untestable: Object.keys(UNTESTABLE).length,
    vectors: vectors().length,
    scenarios: SCENARIOS.length,
    samples: goldenEvents().size,
    mutants: Object.keys(MUTANTS).length,
    correct: Object.keys(VARIANTS).length + Object.keys(FOREIGN).length,
  }
  return text.replace(/<!-- n:(\w+) -->\d*<!-- \/n -->/g, (_, name: string) => {
    const number = numbers[name]
    if (number === undefined) throw new Error(`README.md asks for a number that nothing counts: ${name}`)
    return `<!-- n:${name} -->${number}<!-- /n -->`
  })
}
