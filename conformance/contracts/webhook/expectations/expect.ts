import type { Pattern } from '../../encoded.ts'
import type { Delivery } from '../delivery.ts'
import type { Secrecy } from '../finding.ts'
import type { Answer, Evidence, Exchange, Expectation } from '../model.ts'
import { firstWrong, hasStatus, isAccepted, isServerError, probes, severityOf } from './statuses.ts'

/** Every probe is answered with exactly 200 (SPEC.md 6.1), identical copies included. */
export const acceptedEach = probes('accepted', { code: 'accepted' }, (exchange) =>
  isAccepted(exchange) ? undefined : 'protocol',
)

/** As `acceptedEach`, but a cache against replays may refuse an identical copy (SPEC.md 7.11). */
export const accepted: Expectation = {
  ...acceptedEach,
  check: (evidence) => acceptedEach.check({ ...evidence, exchanges: evidence.exchanges.filter(isNoReplay) }),
}

/** The status of a cache that knows the signature. */
const REPLAYED = 409

/** Whether it is no copy of an accepted delivery, with the same signature, that was refused as that. */
function isNoReplay({ answer, delivery }: Exchange, index: number, all: readonly Exchange[]): boolean {
  if (answer?.status !== REPLAYED) return true
  return !all.slice(0, index).some((earlier) => isAccepted(earlier) && isCopy(earlier.delivery, delivery))
}

/** Whether a cache of signatures knows it by another: the header around the signature may differ. */
const isCopy = (one: Delivery, other: Delivery): boolean =>
  one.signed.v1 === other.signed.v1 &&
  JSON.stringify(one.stamps) === JSON.stringify(other.stamps) &&
  one.body.equals(other.body)

/** The statuses that ask the sender to try again later. */
export const BUSY: readonly number[] = [409, 423, 425, 429, 503]

/**
 * At least one of the copies that arrive together is answered with 200. Another one may be asked to come again, as long as
 * the first one is being handled (SPEC.md 7.3).
 */
export const acceptedOrBusy: Expectation = {
  kind: 'accepted',
  expected: { code: 'accepted_or_busy', statuses: BUSY },
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
  expected: { code: 'control_accepted' },
  check: ({ exchanges }) =>
    firstWrong(exchanges.filter(isNoReplay), 'control', (exchange) =>
      isAccepted(exchange) ? undefined : 'protocol',
    ),
}

/** Every probe is refused with one of the statuses. Any other outcome, including no response, is not a refusal. */
export function refused(...statuses: [number, ...number[]]): Expectation {
  return probes(
    'refused',
    { code: 'refused', statuses },
    (exchange) => (hasStatus(exchange, statuses) ? undefined : severityOf(exchange)),
    statuses,
  )
}

/** Every context delivery, one that is sent only to prepare for the probe, is refused with one of the statuses. */
export function contextRefused(...statuses: [number, ...number[]]): Expectation {
  return refusedBefore('forged', statuses)
}

/** The same for a stale delivery, whose signature is right. */
export function staleContextRefused(...statuses: [number, ...number[]]): Expectation {
  return refusedBefore('stale', statuses)
}

function refusedBefore(what: 'forged' | 'stale', statuses: readonly [number, ...number[]]): Expectation {
  return {
    kind: 'context-refused',
    expected: { code: 'refused_before', what, statuses },
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
    { code: 'refused', statuses },
    (exchange) => (hasStatus(exchange, statuses) ? undefined : 'protocol'),
    statuses,
  )
}

/** Every probe is refused with a status in the range or with one of the others. */
export function refusedWithin(from: number, to: number, ...others: number[]): Expectation {
  return probes('refused', { code: 'refused_within', from, to, others }, (exchange) => {
    const status = exchange.answer?.status ?? 0
    return (status >= from && status <= to) || others.includes(status) ? undefined : 'protocol'
  })
}

/** Every probe is accepted or refused with one of the statuses: the contract leaves it open. */
export function acceptedOrRefused(...statuses: [number, ...number[]]): Expectation {
  return probes(
    'accepted-or-refused',
    { code: 'accepted_or_refused', statuses },
    (exchange) => (isAccepted(exchange) || hasStatus(exchange, statuses) ? undefined : 'protocol'),
    [200, ...statuses],
  )
}

/** Every probe gets a response with a status below 500. */
export const answeredBelow500 = probes('answered', { code: 'answered' }, isServerError)

/** Every context delivery gets a response with a status below 500. */
export const contextAnsweredBelow500: Expectation = {
  kind: 'context-answered',
  expected: { code: 'answered_before' },
  check: ({ exchanges }) => firstWrong(exchanges, 'context', isServerError),
}

/** Every probe is answered within the time that the run allows (SPEC.md 6.2). */
export const answeredInTime: Expectation = {
  kind: 'timing',
  expected: { code: 'answered_in_time' },
  check: ({ exchanges, ackWithinMs }) => {
    const late = exchanges.find(
      ({ delivery, answer }) => delivery.role === 'probe' && answer !== undefined && answer.ms > ackWithinMs,
    )
    if (late?.answer === undefined) return undefined
    const wrong = { code: 'late', ms: late.answer.ms, limitMs: ackWithinMs } as const
    return { wrong, severity: 'protocol', exchanges: [late] }
  },
}

/** No response contains a match of one of the patterns (SPEC.md 11). */
export function nothingDisclosed(
  what: Secrecy,
  patterns: (exchange: Exchange, evidence: Evidence) => readonly Pattern[],
): Expectation {
  return {
    kind: 'disclosure',
    expected: { code: 'nothing_disclosed', what },
    check: (evidence) => {
      for (const exchange of evidence.exchanges) {
        if (exchange.answer === undefined) continue
        const shown = textOf(exchange.answer)
        if (patterns(exchange, evidence).some((pattern) => pattern.test(shown))) {
          return {
            wrong: { code: 'disclosed', what },
            severity: 'security',
            exchanges: [exchange],
          }
        }
      }
      return undefined
    },
  }
}

function textOf({ reason = '', headers, body }: Answer): string {
  return `${reason}\n${headers.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${body.toString('latin1')}`
}
