import { filled } from '../../cli/shared/template.ts'
import { CRASH_CASES } from '../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import {
  CONTRACT,
  UNTESTABLE,
} from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { enteredIn } from '../../conformance/contracts/payment-service/requirements/versions.ts'
import type { CatalogueCase } from '../../conformance/contracts/webhook/model.ts'
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
  const { id, title, needs } = testCase
  const mutants = Object.entries(MUTANTS).filter(([, { fails }]) => fails.some((name) => name === id))
  const stacks = stacksOf(new Set(mutants.flatMap(([, { cause }]) => cause ?? [])))
  const profile = PROFILES[needs === 'crash' ? 'durable' : needs === 'effects' ? 'full' : 'core']
  const samples = samplesOf(testCase)
  return filled(new URL('templates/case.md.eta', import.meta.url), {
    ...testCase,
    title: capitalized(title),
    expected: testCase.expect.map(({ expected }) => `- ${expectedText(expected)}`),
    hasControl: samples.hasControl,
    samples: samples.text,
    secret: SECRET,
    now: NOW,
    command: commandFor(testCase),
    profile,
    version: enteredIn(testCase),
    mutants: mutants.map(
      ([name, { source }]) =>
        `- a receiver that ${name}${source === undefined ? '' : ` ([seen in the field](${source}))`}`,
    ),
    stacks,
  })
}

/** The command that grades a receiver by one case. */
export function commandFor({ id, needs, mode }: CatalogueCase): string {
  const url = 'http://localhost:3000/webhooks'
  const observe = ' --observe http://localhost:3000/observe'
  if (needs === 'crash') return `npx hookproof crash ${url} --start "node server.js"${observe}`
  const options = `${needs === 'effects' ? observe : ''}${mode === 'live' ? ' --mode live' : ''}`
  return `npx hookproof check ${url} --only ${id}${options}`
}

function requirementPage(requirement: (typeof CONTRACT)[number]): string {
  const { number } = requirement
  const cases = ALL.filter((testCase) => testCase.number === number)
  const [, reason] = Object.entries(UNTESTABLE).find(([other]) => other === number) ?? []
  const rows = cases.map(
    ({ id, impact }) =>
      `| [\`${id.replace(/^.*\//, '')}\`](/cases/${id}) | ${impact.replaceAll('|', '\\|')} |`,
  )
  return filled(new URL('templates/requirement.md.eta', import.meta.url), { ...requirement, reason, rows })
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
