import type { Pattern } from '../disclosed/encoded.ts'
import {
  type Answer,
  type Evidence,
  type Exchange,
  type Expectation,
  type ExpectationKind,
  type Finding,
  type Guidance,
  SEVERITIES,
  type Severity,
} from './model.ts'

/** How severe the problem with one exchange is; undefined when there is none. */
type Judge = (exchange: Exchange) => Severity | undefined

/** Every probe is answered with exactly 200 (SPEC.md 6.1). */
export const accepted = probes('accepted', 'every delivery is accepted with status 200', (exchange) =>
  isAccepted(exchange) ? undefined : 'protocol',
)

/** The statuses that ask the sender to try again later. */
export const BUSY: readonly number[] = [409, 423, 425, 429, 503]

/**
 * At least one of the copies that arrive together is answered with 200. Another one may be asked to come again, as long as
 * the first one is being handled (SPEC.md 7.3).
 */
export const acceptedOrBusy: Expectation = {
  kind: 'accepted',
  expected: `a copy is accepted with status 200, and each other one too, or with ${BUSY.join(', ')} while the first is handled`,
  check: (evidence) => {
    const isOneAccepted = evidence.exchanges.some(
      (exchange) => exchange.delivery.role === 'probe' && isAccepted(exchange),
    )
    const exchanges = evidence.exchanges.filter((exchange) => !(isOneAccepted && hasStatus(exchange, BUSY)))
    return accepted.check({ ...evidence, exchanges })
  },
}

/** Every control is answered with exactly 200; the runner adds this to each case. */
export const controlsAccepted: Expectation = {
  kind: 'control-accepted',
  expected: 'the control, a valid delivery beside the changed one, is accepted with status 200',
  check: ({ exchanges }) =>
    firstWrong(exchanges, 'control', (exchange) => (isAccepted(exchange) ? undefined : 'protocol')),
}

/** Every probe is refused with one of the statuses. Any other outcome, including no response, is not a refusal. */
export function refused(...statuses: [number, ...number[]]): Expectation {
  return probes(
    'refused',
    `the delivery is refused with status ${statuses.join(' or ')}`,
    (exchange) => (hasStatus(exchange, statuses) ? undefined : severityOf(exchange)),
    statuses,
  )
}

/** Every context delivery, one that is sent only to prepare for the probe, is refused with one of the statuses. */
export function contextRefused(...statuses: [number, ...number[]]): Expectation {
  return {
    kind: 'context-refused',
    expected: `the forged delivery before it is refused with status ${statuses.join(' or ')}`,
    check: ({ exchanges }) =>
      firstWrong(
        exchanges,
        'context',
        (exchange) => (hasStatus(exchange, statuses) ? undefined : severityOf(exchange)),
        statuses,
      ),
  }
}

/** As `refused`, for a validly signed delivery: accepting it is a mistake that lets no attacker in. */
export function refusedThoughSigned(...statuses: [number, ...number[]]): Expectation {
  return probes(
    'refused',
    `the delivery is refused with status ${statuses.join(' or ')}`,
    (exchange) => (hasStatus(exchange, statuses) ? undefined : 'protocol'),
    statuses,
  )
}

/** Every probe is refused with a status in the range or with one of the others. */
export function refusedWithin(from: number, to: number, ...others: number[]): Expectation {
  const also = others.map((status) => ` or ${status}`).join('')
  return probes(
    'refused',
    `the delivery is refused with a status from ${from} to ${to}${also}`,
    (exchange) => {
      const status = exchange.answer?.status ?? 0
      return (status >= from && status <= to) || others.includes(status) ? undefined : 'protocol'
    },
  )
}

/** Every probe is accepted or refused with one of the statuses: the contract leaves it open. */
export function acceptedOrRefused(...statuses: [number, ...number[]]): Expectation {
  return probes(
    'accepted-or-refused',
    `the delivery is accepted, or refused with status ${statuses.join(' or ')}`,
    (exchange) => (isAccepted(exchange) || hasStatus(exchange, statuses) ? undefined : 'protocol'),
    [200, ...statuses],
  )
}

/** Every probe gets a response with a status below 500. */
export const answeredBelow500 = probes(
  'answered',
  'the delivery is answered with a status below 500',
  isServerError,
)

/** Every context delivery gets a response with a status below 500. */
export const contextAnsweredBelow500: Expectation = {
  kind: 'context-answered',
  expected: 'the unusual delivery before it is answered with a status below 500',
  check: ({ exchanges }) => firstWrong(exchanges, 'context', isServerError),
}

/** Every probe is answered within the time that the run allows (SPEC.md 6.2). */
export const answeredInTime: Expectation = {
  kind: 'timing',
  expected: 'every delivery is answered in time',
  check: ({ exchanges, ackWithinMs }) => {
    const late = exchanges.find(
      ({ delivery, answer }) => delivery.role === 'probe' && answer !== undefined && answer.ms > ackWithinMs,
    )
    if (late?.answer === undefined) return undefined
    const problem = `a response after ${Math.round(late.answer.ms)} ms; the limit is ${ackWithinMs} ms`
    return { problem, severity: 'protocol', exchanges: [late] }
  },
}

/** No response contains a match of one of the patterns (SPEC.md 11). */
export function nothingDisclosed(
  what: string,
  patterns: (exchange: Exchange, evidence: Evidence) => readonly Pattern[],
): Expectation {
  return {
    kind: 'disclosure',
    expected: `no response contains ${what}`,
    check: (evidence) => {
      for (const exchange of evidence.exchanges) {
        if (exchange.answer === undefined) continue
        const shown = textOf(exchange.answer)
        if (patterns(exchange, evidence).some((pattern) => pattern.test(shown))) {
          return {
            problem: `a response with status ${exchange.answer.status} that contains ${what}`,
            severity: 'security',
            exchanges: [exchange],
          }
        }
      }
      return undefined
    },
  }
}

/** Whether an answer accepts a delivery in the loosest sense: with any status from 200 to 299. */
export function isSuccess(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status <= 299
}

/**
 * States what the answer to every probe must be.
 *
 * @param wanted the statuses of a refusal: a refusal with another status is a lesser problem than no refusal
 */
export function probes(
  kind: ExpectationKind,
  expected: string,
  judge: Judge,
  wanted: readonly number[] = [],
): Expectation {
  return { kind, expected, check: ({ exchanges }) => firstWrong(exchanges, 'probe', judge, wanted) }
}

function firstWrong(
  exchanges: readonly Exchange[],
  role: Exchange['delivery']['role'],
  judge: Judge,
  wanted: readonly number[] = [],
): Finding {
  // A delivery that breaks off expects no response.
  const judged = exchanges.filter(({ delivery, unanswered }) => delivery.role === role && unanswered !== true)
  const wrong = judged.flatMap((exchange) => {
    const severity = judge(exchange)
    return severity === undefined ? [] : [{ exchange, severity }]
  })
  const worst = wrong.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
  const [first] = worst
  if (first === undefined) return undefined
  const { exchange, severity } = first
  const found = {
    problem: describe(exchange, judged.length > 1),
    severity,
    exchanges: worst.map((other) => other.exchange),
  }
  return wanted.length > 0 && wrong.every((other) => isOtherRefusal(other.exchange))
    ? { ...found, guidance: otherStatus(wanted, exchange) }
    : found
}

/** The statuses of a refusal for some other reason than the expected one. */
const OTHER_REFUSALS: readonly number[] = [400, 401, 403, 406, 409, 415, 422]

function isOtherRefusal(exchange: Exchange): boolean {
  return hasStatus(exchange, OTHER_REFUSALS)
}

function otherStatus(wanted: readonly number[], { answer }: Exchange): Guidance {
  return {
    impact: 'The delivery is refused, but the status gives another reason than the true one.',
    fix: `Answer ${wanted.join(' or ')} instead of ${answer?.status}${meaningOf(wanted)}.`,
  }
}

/** Which reason has which status, where only one is right (SPEC.md 5.3). */
function meaningOf(wanted: readonly number[]): string {
  const header = 'a signature header that is missing, malformed or outside the time window'
  if (wanted.every((status) => status === 400)) return `: 400 is for ${header}, 401 for a wrong signature`
  if (wanted.every((status) => status === 401)) return `: 401 is for a wrong signature, 400 for ${header}`
  return wanted.includes(422) && !wanted.includes(401) ? ' when the body is validly signed but unusable' : ''
}

/** Describes a response in a few words, with its delivery where there were several. */
function describe({ delivery, answer, error }: Exchange, several: boolean): string {
  const subject = delivery.change ?? delivery.event ?? 'a body'
  const received = answer === undefined ? `no response: ${error?.message}` : `status ${answer.status}`
  return several ? `${received} (${subject})` : received
}

function isAccepted(exchange: Exchange): boolean {
  return hasStatus(exchange, [200])
}

/** Whether there is no response, or one of a server that failed. */
function isServerError({ answer }: Exchange): Severity | undefined {
  return answer !== undefined && answer.status < 500 ? undefined : 'protocol'
}

function hasStatus({ answer }: Exchange, statuses: readonly number[]): boolean {
  return answer !== undefined && statuses.includes(answer.status)
}

/** How severe it is that a delivery was not refused: only an acceptance lets an attacker in. */
export function severityOf({ answer }: Exchange): Severity {
  return isSuccess(answer) ? 'security' : 'protocol'
}

function textOf({ reason = '', headers, body }: Answer): string {
  return `${reason}\n${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body.toString('latin1')}`
}
