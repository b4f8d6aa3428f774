import { CATALOGUE, SECTIONS } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import type { CatalogueCase } from '../../../conformance/contracts/payment-service/model.ts'
import {
  CONTRACT,
  UNTESTABLE,
} from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { enteredIn } from '../../../conformance/contracts/payment-service/requirements/versions.ts'
import { CRASH_CASES, CRASH_SECTIONS } from '../../../conformance/crash/catalogue.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import type { Step } from '../../../conformance/engine/plan.ts'
import type { Framework } from '../../../conformance/report/snippets.ts'
import { expectedText } from '../../../conformance/report/words/findings.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { findCase, notFound } from '../../shared/find.ts'
import type { Io } from '../../shared/io.ts'
import { profileOf, table } from '../cases/cases.ts'
import { aboutCause } from './about-cause.ts'
import { listed, type Row, rows } from './rows.ts'

type Requirement = (typeof CONTRACT)[number]

const ALL_CASES = [...CATALOGUE, ...CRASH_CASES]
const ALL_SECTIONS = [...SECTIONS, ...CRASH_SECTIONS]

const PROFILES = {
  core: 'core',
  full: 'full: the effects must be observable',
  durable: 'durable: `hookproof crash` kills the receiver and starts it again',
} as const

/** How to explain. */
export interface ExplainOptions {
  /** The receiver's framework, for an example. */
  readonly framework?: Framework
}

/**
 * `hookproof explain`: shows a case, a requirement by its number, a section, or a cause by its code.
 *
 * @throws UsageError for a name that is none of these
 */
export function explain(name: string, options: ExplainOptions, io: Io): ExitCode {
  io.stdout.write(textOf(name, options))
  return EXIT.ok
}

function textOf(name: string, { framework }: ExplainOptions): string {
  const testCase = CRASH_CASES.find(({ id }) => id === name) ?? findCase(name)
  if (testCase !== undefined) return aboutCase(testCase)
  const requirement = CONTRACT.find(({ number }) => number === name)
  if (requirement !== undefined) return aboutRequirement(requirement)
  const section = ALL_SECTIONS.find(({ id }) => id === name)
  if (section !== undefined) {
    return `${section.id}: ${section.title}\n\n${table(ALL_CASES.filter((listed) => listed.section === name))}`
  }
  const cause = aboutCause(name, framework)
  if (cause !== undefined) return cause
  throw notFound('case, requirement, section or cause', name, [
    ...ALL_SECTIONS.map(({ id }) => id),
    ...CONTRACT.map(({ number }) => number),
    ...ALL_CASES.map(({ id }) => id),
    ...CAUSE_CODES,
  ])
}

function aboutCase(testCase: CatalogueCase): string {
  const requirement = CONTRACT.find(({ number }) => number === testCase.number)
  return rows(`${testCase.id}  ${testCase.level}`, [
    ['Requirement', `${testCase.number} ${testCase.spec}`],
    ['Source', requirement?.source ?? ''],
    ...prevents(requirement),
    ['Profile', PROFILES[profileOf(testCase.needs)]],
    ['Contract', `since version ${enteredIn(testCase)}`],
    ...(testCase.mode === undefined ? [] : ([['Mode', testCase.mode]] satisfies Row[])),
    ...listed('Sends', sends(testCase)),
    ...listed(
      'Expects',
      testCase.expect.map(({ expected }) => expectedText(expected)),
    ),
    ...(testCase.open === undefined ? [] : ([['Note', testCase.open]] satisfies Row[])),
    ['Impact', testCase.impact],
    ['Fix', testCase.fix],
  ])
}

function aboutRequirement(requirement: Requirement): string {
  const { number, level, sentence, source } = requirement
  const ids = ALL_CASES.filter((testCase) => testCase.number === number).map(({ id }) => id)
  const [, reason] = Object.entries(UNTESTABLE).find(([other]) => other === number) ?? []
  return rows(`${number}  ${level}`, [
    ['Requirement', `${number} ${sentence}`],
    ['Source', source],
    ...prevents(requirement),
    ...listed('Cases', reason === undefined ? ids : [`none: ${reason}`]),
  ])
}

/** The harm that a MUST prevents; other levels have none. */
function prevents(requirement: Requirement | undefined): Row[] {
  return requirement !== undefined && 'prevents' in requirement ? [['Prevents', requirement.prevents]] : []
}

const ORDERS: Readonly<Partial<Record<Step['how'], string>>> = {
  together: ' (all at once)',
  'few-at-once': ' (a few at once)',
  'one-connection': ' (on one connection)',
  'separate-connections': ' (each on a new connection)',
}

function sends(testCase: CatalogueCase): string[] {
  const now = () => Math.floor(Date.now() / 1000)
  const kit = createKit(testCase.id, {
    secret: 'whsec_example',
    seed: 'explain',
    mode: testCase.mode ?? 'test',
    now,
  })
  const lines = testCase.send(kit).flatMap((step) => {
    if (step.how === 'until-acknowledged') return `other payments, ${step.payments} in total`
    return step.deliveries.map(({ method, event, change, role }) => {
      const delivery = `${method} ${event ?? 'a body'}${change === undefined ? '' : ` with ${change}`}`
      return `${delivery}${role === 'control' ? ' (valid control)' : ''}${ORDERS[step.how] ?? ''}`
    })
  })
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, times]) => (times === 1 ? line : `${line}, ${times} times`))
}
