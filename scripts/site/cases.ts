import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase } from '../../conformance/contracts/payment-service/model.ts'
import {
  CONTRACT,
  UNTESTABLE,
} from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { enteredIn } from '../../conformance/contracts/payment-service/requirements/versions.ts'
import { CRASH_CASES } from '../../conformance/crash/catalogue.ts'
import { expectedText } from '../../conformance/report/words/findings.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { readExamples } from '../examples/example.ts'
import { NOW, SECRET, samplesOf } from './samples.ts'

const ALL: readonly CatalogueCase[] = [...CATALOGUE, ...CRASH_CASES]

const PROFILES = {
  core: '`core`: the responses decide',
  full: '`full`: the effects must be [observable](/docs/check#check-side-effects)',
  durable: '`durable`: [`hookproof crash`](/docs/crash) kills the receiver and starts it again',
} as const

/** A page for each case and each requirement. */
export function contractPages(): Map<string, string> {
  const examples = readExamples()
  const stacksOf = (codes: ReadonlySet<string>): string[] =>
    examples
      .filter(({ traps = [] }) => traps.some(({ cause }) => cause !== undefined && codes.has(cause)))
      .map(({ title, name }) => `[${title}](/handlers/${name})`)
  return new Map([
    ...ALL.map((testCase): [string, string] => [`cases/${testCase.id}.md`, casePage(testCase, stacksOf)]),
    ...CONTRACT.map((requirement): [string, string] => [
      `requirements/${requirement.number}.md`,
      requirementPage(requirement),
    ]),
  ])
}

function casePage(testCase: CatalogueCase, stacksOf: (codes: ReadonlySet<string>) => string[]): string {
  const { id, title, level, number, spec, needs, mode, open, impact, fix } = testCase
  const mutants = Object.entries(MUTANTS).filter(([, { fails }]) => fails.some((name) => name === id))
  const stacks = stacksOf(new Set(mutants.flatMap(([, { cause }]) => cause ?? [])))
  const profile = PROFILES[needs === 'crash' ? 'durable' : needs === 'effects' ? 'full' : 'core']
  const samples = samplesOf(testCase)
  const version = enteredIn(testCase)
  return page(
    `${capitalized(title)} (${id})`,
    `# ${capitalized(title)}

\`${id}\` · ${level} · requirement [${number}](/requirements/${number})

> ${spec}

**Impact:** ${impact}

**Fix:** ${fix}

## What must come back

${testCase.expect.map(({ expected }) => `- ${expectedText(expected)}`).join('\n')}
${samples.hasControl ? '- status 200 for the valid control, without which the refusal proves nothing\n' : ''}
${open === undefined ? '' : `More than one response is correct: ${open}\n`}
## What is sent

${
  samples.text === ''
    ? 'The command judges its entire run, and sends nothing for this case alone.'
    : `The samples are signed with the secret \`${SECRET}\` at ${NOW}. A run has other payments, and signs with your receiver's secret and clock.\n\n${samples.text}`
}

## Grade only this case

\`\`\`sh
${commandFor(testCase)}
\`\`\`

Profile ${profile}${mode === undefined ? '' : `, in ${mode} mode only`}. ${version === undefined ? 'It is in no frozen version of the contract yet.' : `It is in the contract since version ${version}.`}

## Receivers that fail it

${
  mutants.length === 0
    ? 'No mutant fails this case alone; see [the kill matrix](/docs/kill-matrix).'
    : mutants
        .map(
          ([name, { source }]) =>
            `- a receiver that ${name}${source === undefined ? '' : ` ([seen in the field](${source}))`}`,
        )
        .join('\n')
}
${stacks.length === 0 ? '' : `\nA usual mistake in these stacks has the same cause: ${stacks.join(', ')}.\n`}`,
  )
}

function commandFor({ id, needs, mode }: CatalogueCase): string {
  const url = 'http://localhost:3000/webhooks'
  const observe = ' --observe http://localhost:3000/observe'
  if (needs === 'crash') return `npx hookproof crash ${url} --start "node server.js"${observe}`
  const options = `${needs === 'effects' ? observe : ''}${mode === 'live' ? ' --mode live' : ''}`
  return `npx hookproof check ${url} --only ${id}${options}`
}

function requirementPage(requirement: (typeof CONTRACT)[number]): string {
  const { number, level, sentence, source } = requirement
  const cases = ALL.filter((testCase) => testCase.number === number)
  const [, reason] = Object.entries(UNTESTABLE).find(([other]) => other === number) ?? []
  const rows = cases.map(
    ({ id, impact }) =>
      `| [\`${id.replace(/^.*\//, '')}\`](/cases/${id}) | ${impact.replaceAll('|', '\\|')} |`,
  )
  return page(
    `Requirement ${number}`,
    `# Requirement ${number}

> ${sentence}

${level} · Source: ${source}
${'prevents' in requirement ? `\n**Prevents:** ${requirement.prevents}.\n` : ''}
## Cases

${
  reason === undefined
    ? ['| case | impact of a failure |', '| --- | --- |', ...rows].join('\n')
    : `None: ${reason}`
}

[All requirements](/spec)
`,
  )
}

/** A page of the contract; its text is written by people, and none of it is a template. */
function page(title: string, text: string): string {
  return `---\ntitle: ${JSON.stringify(title)}\n---\n\n${text}`
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
