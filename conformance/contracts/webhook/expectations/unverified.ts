import type { Exchange, Expectation, Finding, Severity } from '../model.ts'
import { isSuccess, probes, severityOf } from './statuses.ts'

/** No probe is answered with a status from 200 to 299: any other answer, or none, is a refusal (SPEC.md 12). */
export const notAccepted: Expectation = {
  kind: 'refused',
  expected: { code: 'not_accepted' },
  check: ({ exchanges }) => gotIn(exchanges.filter(({ delivery }) => delivery.role === 'probe')),
}

/** The same for any delivery that a receiver must refuse. */
export const notLetIn: Expectation = { ...notAccepted, expected: { code: 'not_let_in' } }

/** The same for validly signed deliveries: accepting one is a mistake that lets no attacker in. */
export const notLetInThoughSigned: Expectation = {
  ...notLetIn,
  check: ({ exchanges }) =>
    gotIn(
      exchanges.filter(({ delivery }) => delivery.role === 'probe'),
      'protocol',
    ),
}

/**
 * As `notAccepted`, for deliveries to another path: the server may answer 2xx to every path, as the context delivery to a
 * path that nobody serves shows, and then a 2xx says nothing.
 */
export const notAcceptedElsewhere: Expectation = {
  ...notAccepted,
  check: ({ exchanges }) =>
    exchanges.some(({ delivery, answer }) => delivery.role === 'context' && isSuccess(answer))
      ? undefined
      : gotIn(exchanges.filter(({ delivery }) => delivery.role === 'probe')),
}

/** Every probe is refused with any status from 400 to 499 (SPEC.md 2.20). */
export const refusedWith4xx = probes('refused', { code: 'refused_with_4xx' }, (exchange) =>
  is4xx(exchange) ? undefined : severityOf(exchange),
)

/**
 * The same for stale deliveries with headers that a receiver or a proxy may refuse before it reads `t`, with a status of
 * its own (SPEC.md 3.3).
 */
export const staleNotAccepted: Expectation = {
  ...refusedWith4xx,
  expected: { code: 'stale_not_accepted' },
}

/** The same as `refusedWith4xx`, where HTTP also allows the receiver to close the connection without a response (SPEC.md 2.22). */
export const refusedOrClosed = probes('refused', { code: 'refused_or_closed' }, (exchange) =>
  is4xx(exchange) || (exchange.answer === undefined && exchange.error?.code !== 'timeout')
    ? undefined
    : severityOf(exchange),
)

function gotIn(probes: readonly Exchange[], severity: Severity = 'security'): Finding {
  const accepted = probes.filter(({ answer }) => isSuccess(answer))
  return accepted.length === 0 ? undefined : { wrong: { code: 'let_in' }, severity, exchanges: accepted }
}

function is4xx({ answer }: Exchange): boolean {
  return answer !== undefined && answer.status >= 400 && answer.status <= 499
}
