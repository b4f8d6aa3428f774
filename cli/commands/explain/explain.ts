import { CRASH_CASES } from '../../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import { CONTRACT } from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { enteredIn } from '../../../conformance/contracts/payment-service/requirements/versions.ts'
import type { CatalogueCase } from '../../../conformance/contracts/webhook/model.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import type { Step } from '../../../conformance/engine/plan.ts'
import { type CauseDescription, describeCause } from '../../../conformance/report/describe-cause.ts'
import { troubleshootingUrl } from '../../../conformance/report/package.ts'
import {
  FRAMEWORKS,
  type Framework,
  type Snippet,
  snippetOf,
  topicsOfCause,
} from '../../../conformance/report/snippets.ts'
import { expectedText } from '../../../conformance/report/words/findings.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { notFound } from '../../shared/find.ts'
import type { Io } from '../../shared/io.ts'
import { profileOf } from '../cases/cases.ts'

type Requirement = (typeof CONTRACT)[number]

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
 * `hookproof explain`: shows a case, or a cause by its code.
 *
 * @throws UsageError for a name that is neither
 */
export function explain(name: string, options: ExplainOptions, io: Io): ExitCode {
  io.stdout.write(textOf(name, options))
  return EXIT.ok
}

function textOf(name: string, { framework }: ExplainOptions): string {
  const testCase = CRASH_CASES.find(({ id }) => id === name) ?? CATALOGUE.find(({ id }) => id === name)
  if (testCase !== undefined) return aboutCase(testCase)
  const cause = aboutCause(name, framework)
  if (cause !== undefined) return cause
  throw notFound('case or cause', name, [
    ...[...CATALOGUE, ...CRASH_CASES].map(({ id }) => id),
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
    if (step.how === 'until-acknowledged') return `other payments, ${step.count} in total`
    return step.deliveries.map(({ method, event, change, role }) => {
      const delivery = `${method} ${event ?? 'a body'}${change === undefined ? '' : ` with ${change}`}`
      return `${delivery}${role === 'control' ? ' (valid control)' : ''}${ORDERS[step.how] ?? ''}`
    })
  })
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, times]) => (times === 1 ? line : `${line}, ${times} times`))
}

/** A cause by its code: what a report says, the fix, code that helps, and the cases that show it; undefined for another name. */
export function aboutCause(code: string, framework: Framework | undefined): string | undefined {
  const cause = describeCause(code, paymentService)
  if (cause === undefined) return undefined
  return `${rows(`${cause.code}  cause of failures`, [
    ...listed('Cause', cause.sentences),
    ...listed('Fix', cause.fixes),
    ...listed('Shown by', cause.cases),
    ...hint(cause, framework),
    ['Docs', troubleshootingUrl()],
  ])}${example(cause, framework)}`
}

/** How to get code in the framework of the receiver. */
function hint(cause: CauseDescription, framework: Framework | undefined): Row[] {
  const isInFramework = topicsOfCause(cause).some((topic) => topic !== 'once')
  return isInFramework && framework === undefined
    ? [['Example', `add --framework with one of ${FRAMEWORKS.join(', ')}`]]
    : []
}

function example(cause: CauseDescription, framework: Framework | undefined): string {
  const snippets = topicsOfCause(cause).flatMap((topic) => snippetOf(topic, framework) ?? [])
  return snippets.map(blockOf).join('')
}

function blockOf({ title, code }: Snippet): string {
  const lines = code.split('\n').map((line) => (line === '' ? '' : `    ${line.replaceAll('\t', '    ')}`))
  return `\nExample in ${title}\n${lines.join('\n')}\n`
}

/** A labeled text. */
export type Row = readonly [name: string, text: string]

/** Labeled texts below a title, the texts in one column. */
export function rows(title: string, all: readonly Row[]): string {
  return [title, ...all.map(([name, text]) => `  ${name.padEnd(13)}${text}`), ''].join('\n')
}

/** Several texts, with the name on the first line only. */
export function listed(name: string, texts: readonly string[]): Row[] {
  return texts.map((text, index) => [index === 0 ? name : '', text])
}
