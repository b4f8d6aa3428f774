import { either } from '../../alternatives.ts'
import type { Expected } from '../finding.ts'
import {
  type Answer,
  type Exchange,
  type Expectation,
  type ExpectationKind,
  type Finding,
  type Guidance,
  SEVERITIES,
  type Severity,
} from '../model.ts'

/** How severe the problem with one exchange is; undefined when there is none. */
type Judge = (exchange: Exchange) => Severity | undefined

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
  expected: Expected,
  judge: Judge,
  wanted: readonly number[] = [],
): Expectation {
  return { kind, expected, check: ({ exchanges }) => firstWrong(exchanges, 'probe', judge, wanted) }
}

export function firstWrong(
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
    wrong: { code: 'answer' as const, several: judged.length > 1 },
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
    impact: 'The delivery is refused, but with the wrong status: logs then show the wrong reason.',
    fix: `Answer ${either(wanted)} instead of ${answer?.status}${meaningOf(wanted)}.`,
  }
}

/** Which reason has which status, where only one is right (SPEC.md 5.3). */
function meaningOf(wanted: readonly number[]): string {
  const header = 'a signature header that is missing, malformed or outside the time window'
  if (wanted.every((status) => status === 400)) return `: 400 is for ${header}, 401 for a wrong signature`
  if (wanted.every((status) => status === 401)) return `: 401 is for a wrong signature, 400 for ${header}`
  return wanted.includes(422) && !wanted.includes(401) ? ' when the body is validly signed but unusable' : ''
}

export { isAcknowledged as isAccepted } from '../../../engine/exchange.ts'

/** How severe it is that there is no response, or one of a server that failed. */
export function isServerError({ answer }: Exchange): Severity | undefined {
  return answer !== undefined && answer.status < 500 ? undefined : 'protocol'
}

export function hasStatus({ answer }: Exchange, statuses: readonly number[]): boolean {
  return answer !== undefined && statuses.includes(answer.status)
}

/** How severe it is that a delivery was not refused: only an acceptance lets an attacker in. */
export function severityOf({ answer }: Exchange): Severity {
  return isSuccess(answer) ? 'security' : 'protocol'
}
