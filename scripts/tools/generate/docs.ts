import { readFile } from 'node:fs/promises'
import { slug } from 'github-slugger'
import { githubWorkflow } from '../../../cli/commands/init/workflow.ts'
import { CATALOGUE, SECTIONS } from '../../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase } from '../../../conformance/contracts/payment-service/model.ts'
import {
  CONTRACT,
  UNTESTABLE,
} from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { CRASH_CASES } from '../../../conformance/crash/catalogue.ts'
import { packageVersion } from '../../../conformance/report/package.ts'
import { vectors } from '../../../fixtures/index.ts'
import { goldenEvents } from '../../../fixtures/samples.ts'
import { SCENARIOS } from '../../../fixtures/scenarios.ts'
import { allRefusals } from '../../../server/http/refusals.ts'
import { FOREIGN } from '../../../test/foreign/receivers.ts'
import { MUTANTS } from '../../../test/mutants/mutants.ts'
import { VARIANTS } from '../../../test/mutants/variants.ts'
import { readExamples } from '../../examples/example.ts'
import { withTraps } from '../../examples/troubleshooting.ts'

/** Generates the documents that follow from code, and the numbers in README.md and docs/check.md. */
export async function generateDocs(): Promise<Map<string, string>> {
  return new Map([
    ['docs/cases.md', cases()],
    ['docs/codes.md', codes()],
    ['docs/troubleshooting.md', withTraps(await readFile('docs/troubleshooting.md', 'utf8'), readExamples())],
    ['docs/examples/github-workflow.yml', githubWorkflow(packageVersion())],
    ['README.md', withNumbers(await readFile('README.md', 'utf8'))],
    ['docs/check.md', withWorkflow(withNumbers(await readFile('docs/check.md', 'utf8')))],
  ])
}

function cases(): string {
  const sections = SECTIONS.map(({ id, title }, index) => {
    const rows = CATALOGUE.filter(({ section }) => section === id).map(
      (testCase) =>
        `| \`${testCase.id}\` | ${testCase.number} | ${testCase.level} | ${profileOf(testCase)} | ${testCase.impact} |`,
    )
    return [
      `## ${index + 1}. ${title}`,
      '',
      '| case | requirement | level | profile | impact of a failure |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
  })
  const crashes = CRASH_CASES.map(
    ({ id, number, level, impact }) => `| \`${id}\` | ${number} | ${level} | ${impact} |`,
  )
  return `# The cases

Every case of the suite, by section of [SPEC.md](../SPEC.md). \`hookproof explain <case>\` shows what a case sends and
expects. \`npm run generate\` writes this page.

${[...SECTIONS.map(({ title }, index) => `${index + 1}. ${title}`), 'Crashes'].map((title) => `[${title}](#${slug(title)})`).join(' · ')}

${sections.join('\n\n')}

## Crashes

\`hookproof crash\` judges these, in the durable profile. [crash.md](crash.md) explains how.

| case | requirement | level | impact of a failure |
| --- | --- | --- | --- |
${crashes.join('\n')}
`
}

function profileOf({ needs, mode }: CatalogueCase): string {
  return `${needs === 'effects' ? 'full' : 'core'}${mode === undefined ? '' : `, ${mode} mode`}`
}

function codes(): string {
  const rows = Object.entries(allRefusals).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  )
  return `# The receiver's error codes

The reference receiver refuses a delivery with the body \`{ "error": "<message>", "code": "<code>" }\`. Codes are stable;
messages can change. \`npm run generate\` writes this page.

| code | status | message |
| --- | --- | --- |
${rows.join('\n')}
`
}

/** Writes the workflow between its markers. @throws Error if the page lacks them */
function withWorkflow(page: string): string {
  const block = /(?<=<!-- workflow -->\n)[^]*(?=<!-- \/workflow -->)/
  if (!block.test(page)) throw new Error('docs/check.md has no place for the workflow')
  return page.replace(block, () => `\n\`\`\`yaml\n${githubWorkflow(packageVersion())}\`\`\`\n\n`)
}

/** Replaces the number in each \`<!-- n:name -->\` marker. @throws Error if no number has that name */
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
    if (number === undefined) throw new Error(`a document has a marker with an unknown name: ${name}`)
    return `<!-- n:${name} -->${number}<!-- /n -->`
  })
}
