import { readFile } from 'node:fs/promises'
import { slug } from 'github-slugger'
import { githubWorkflow } from '../../../cli/commands/init/workflow.ts'
import { filled } from '../../../cli/shared/template.ts'
import { CRASH_CASES } from '../../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE, SECTIONS } from '../../../conformance/contracts/payment-service/cases/index.ts'
import {
  CONTRACT,
  UNTESTABLE,
} from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { SERVICES } from '../../../conformance/contracts/services.ts'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import type { CatalogueCase } from '../../../conformance/contracts/webhook/model.ts'
import { packageVersion } from '../../../conformance/report/package.ts'
import { vectors } from '../../../fixtures/index.ts'
import { goldenEvents } from '../../../fixtures/samples.ts'
import { SCENARIOS } from '../../../fixtures/scenarios.ts'
import { allRefusals } from '../../../server/http/refusals.ts'
import { FOREIGN } from '../../../test/foreign/receivers.ts'
import { MUTANTS } from '../../../test/mutants/mutants.ts'
import { VARIANTS } from '../../../test/mutants/variants.ts'
import { readExamples } from '../../examples/example.ts'
import { withExamples } from '../../examples/table.ts'
import { withCauses } from '../../examples/troubleshooting.ts'
import { readLibraries, withLibraries } from '../../libraries/library.ts'
import { readKilled, serviceMatrixPage } from '../../proofs/services/page.ts'
import { replaceMarked } from '../../shared/marked.ts'
import { readResults } from '../../shared/results.ts'

/** Generates the documents that follow from code, and the numbers in README.md and docs/check.md. */
export async function generateDocs(): Promise<Map<string, string>> {
  return new Map([
    ['docs/cases.md', cases()],
    ['docs/codes.md', codes()],
    ['docs/services.md', services()],
    ['docs/kill-matrix-services.md', serviceMatrixPage(readKilled())],
    [
      'docs/troubleshooting.md',
      withCauses(await readFile('docs/troubleshooting.md', 'utf8'), readExamples()),
    ],
    ['docs/examples/github-workflow.yml', githubWorkflow(packageVersion())],
    ['README.md', withNumbers(await readFile('README.md', 'utf8'))],
    [
      'docs/check.md',
      replaceMarked(
        withNumbers(await readFile('docs/check.md', 'utf8')),
        'workflow',
        `\n\`\`\`yaml\n${githubWorkflow(packageVersion())}\`\`\`\n\n`,
      ),
    ],
    [
      'docs/examples.md',
      withExamples(await readFile('docs/examples.md', 'utf8'), readExamples(), readResults('examples')),
    ],
    [
      'docs/libraries.md',
      withLibraries(await readFile('docs/libraries.md', 'utf8'), readLibraries(), readResults('libraries')),
    ],
  ])
}

/** The contracts of the services other than the payment service, whose contract is SPEC.md. */
function services(): string {
  const others = Object.values(SERVICES).filter(({ id }) => id !== 'payment-service')
  const required = (all: readonly CatalogueCase[]) => all.filter(({ level }) => level === 'MUST').length
  const observed = (all: readonly CatalogueCase[]) => all.filter(({ needs }) => needs === 'effects').length
  return filled(new URL('services.md.eta', import.meta.url), {
    rows: others.map(
      ({ id, title, cases: all, requireVersion }) =>
        `| ${title} | \`${id}\` | ${requireVersion()} | ${all.length} | ${observed(all)} | ${required(all)} |`,
    ),
    keys: others.flatMap((service) => keyOf(service) ?? []).join(', '),
    contracts: others.map(({ title, cases: all }) => {
      const numbers = [...new Set(all.map(({ number }) => number))]
      const rows = numbers.map((number) => {
        const tested = all.filter((one) => one.number === number)
        const [first] = tested
        const ids = tested.map(({ id }) => `\`${id}\``).join(', ')
        return `| ${number} | ${first?.spec} | ${first?.contract?.source} | ${ids} |`
      })
      return [
        `## ${title}\n`,
        '| | requirement | because | cases |',
        '| --- | --- | --- | --- |',
        ...rows,
      ].join('\n')
    }),
  })
}

/** Where a receiver finds by what it recognizes redeliveries. */
function keyOf({ title, dedupe, scheme }: WebhookContract): string | undefined {
  if (dedupe === undefined) return undefined
  const { in: place } = dedupe
  if (place === 'id') return `the header \`${scheme.stamps?.id}\` (${title})`
  return 'field' in place
    ? `the field \`${place.field}\` of the body (${title})`
    : `the header \`${place.header}\` (${title})`
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
  const contents = [...SECTIONS.map(({ title }, index) => `${index + 1}. ${title}`), 'Crashes']
    .map((title) => `[${title}](#${slug(title)})`)
    .join(' · ')
  return filled(new URL('cases.md.eta', import.meta.url), { contents, sections, crashes })
}

function profileOf({ needs, mode }: CatalogueCase): string {
  return `${needs === 'effects' ? 'full' : 'core'}${mode === undefined ? '' : `, ${mode} mode`}`
}

function codes(): string {
  const rows = Object.entries(allRefusals).map(
    ([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`,
  )
  return filled(new URL('codes.md.eta', import.meta.url), { rows })
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
