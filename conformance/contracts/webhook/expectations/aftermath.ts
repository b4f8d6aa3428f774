import { isAcknowledged } from '../../../engine/exchange.ts'
import { turnsAway } from '../../../engine/pace/blocked.ts'
import { isLockedOut } from '../../../engine/pace/locked.ts'
import type { Answer, Exchange, Expectation, Finding } from '../model.ts'
import { accepted } from './expect.ts'

const GONE_BEFORE = { untested: { code: 'gone_before' } } as const

/**
 * Every valid delivery that follows unusual requests is accepted; those are the context deliveries before it, and any answer
 * to them is right (SPEC.md 10.5 to 10.9). A problem names the request that is its likely cause.
 */
export const acceptedAfterwards: Expectation = {
  kind: 'accepted',
  expected: { code: 'accepted_afterwards' },
  check(evidence) {
    let before: Exchange[] = []
    let untested: Finding
    for (const exchange of evidence.exchanges) {
      if (exchange.delivery.role === 'context') before.push(exchange)
      if (exchange.delivery.role !== 'probe') continue
      const found = judge(exchange, before)
      if (found !== undefined && 'wrong' in found) return found
      untested ??= found
      before = []
    }
    // The run ended before a valid delivery could follow: only a receiver that has ended explains that.
    const lost = before.filter(({ error }) => error !== undefined)
    if (lost.length > 0) {
      return {
        wrong: { code: 'nothing_could_follow', causes: likelyCauses(before) },
        severity: 'protocol',
        exchanges: lost,
      }
    }
    return untested
  },
}

/**
 * A valid delivery is accepted after bad signatures of somebody else, at once or after a pause: a receiver may limit the rate of
 * what it has to verify, but not lock itself (SPEC.md 10.9).
 */
export const acceptedAfterRefusals: Expectation = {
  kind: 'accepted',
  expected: { code: 'accepted_after_refusals' },
  check(evidence) {
    const probes = evidence.exchanges.filter(({ delivery }) => delivery.role === 'probe')
    const [first] = probes
    if (first === undefined || probes.some((probe) => isAcknowledged(probe))) return undefined
    if (first.answer === undefined) return acceptedAfterwards.check(evidence)
    if (isLockedOut(probes)) {
      return {
        wrong: { code: 'locked_out', status: first.answer.status },
        severity: 'protocol',
        exchanges: probes,
      }
    }
    return { untested: { code: 'may_block', exchange: first, causes: ['bad signatures'] } }
  },
}

/** As `acceptedAfterwards`, while other connections hold unfinished bodies (SPEC.md 10.16). */
export const acceptedMeanwhile: Expectation = {
  kind: 'accepted',
  expected: { code: 'accepted_meanwhile' },
  check(evidence) {
    const probe = evidence.exchanges.find(({ delivery }) => delivery.role === 'probe')
    if (probe !== undefined && isAcknowledged(probe)) return undefined
    if (evidence.exchanges[0]?.error?.code === 'refused') return GONE_BEFORE
    const isHeld = evidence.exchanges.every(
      ({ delivery, unanswered }) => delivery.role !== 'context' || unanswered === true,
    )
    // A limit of the connections of one client would say nothing about those of others. It turns a connection away, while a
    // receiver that is held up by the others lets it wait.
    if (isHeld && probe?.error?.code === 'timeout') return accepted.check(evidence)
    return { untested: { code: 'answer_meanwhile', exchange: probe, mayLimit: mayLimit(probe?.answer) } }
  },
}

/** What a delivery that did not wait may have been refused for. Only a server without capacity answers 503. */
function mayLimit(answer: Answer | undefined): boolean {
  return answer === undefined || answer.status === 503 || turnsAway(answer)
}

function judge(probe: Exchange, before: readonly Exchange[]): Finding {
  if (isAcknowledged(probe)) return undefined
  const [first] = before
  if (first?.error?.code === 'refused') {
    return GONE_BEFORE
  }
  const causes = likelyCauses(before)
  if (probe.answer !== undefined && turnsAway(probe.answer)) {
    return { untested: { code: 'may_block', exchange: probe, causes } }
  }
  return { wrong: { code: 'answer_afterwards', causes }, severity: 'protocol', exchanges: [probe] }
}

/** The first of the last requests that nobody handled. Where each of them was handled, it is any of them. */
function likelyCauses(requests: readonly Exchange[]): string[] {
  const handled = requests.findLastIndex((exchange) => wasHandled(exchange))
  const unhandled = requests.slice(handled + 1)
  // Connections are refused only after the receiver has ended: the request before the first of these was the last one.
  const end = unhandled.findIndex(({ error }) => error?.code === 'refused')
  const cause = end > 0 ? unhandled[end - 1] : unhandled[0]
  const named = cause === undefined ? requests : [cause]
  return named.map(({ delivery }) => delivery.change ?? 'an unusual request')
}

/** Whether the receiver itself has answered; a proxy answers 502 to 504 for one that has not. */
function wasHandled({ answer }: Exchange): boolean {
  return answer !== undefined && (answer.status < 502 || answer.status > 504)
}

/** The share of the time limit within which a valid delivery has to be answered beside bodies that are not compressed. */
const QUICK_SHARE = 0.25

/**
 * Each probe is accepted in time, while and after compressed bodies arrive. It is a problem only if a valid delivery beside
 * as many bytes that are not compressed, the signed context delivery, was answered quickly: then neither the network nor
 * the number of connections can be the reason. A receiver that has ended is a problem in any case (SPEC.md 10.9).
 */
export const acceptedWhileExpanding: Expectation = {
  kind: 'accepted',
  expected: { code: 'accepted_while_expanding' },
  check({ exchanges, ackWithinMs }) {
    const isAccepted = (exchange: Exchange, withinMs: number) =>
      isAcknowledged(exchange) && (exchange.answer?.ms ?? 0) <= withinMs
    const reference = exchanges.find(
      ({ delivery }) => delivery.role === 'context' && delivery.change === undefined,
    )
    const withinMs = Math.max(ackWithinMs, (reference?.answer?.ms ?? 0) / QUICK_SHARE)
    const failed = exchanges.find(
      (exchange) => exchange.delivery.role === 'probe' && !isAccepted(exchange, withinMs),
    )
    if (failed === undefined) return undefined
    // It ended: what was answered beside the other bodies was answered by a receiver that still ran.
    const ended = exchanges.find(
      ({ delivery, error }) => delivery.role === 'probe' && error?.code === 'refused',
    )
    if (ended !== undefined && reference !== undefined && isAcknowledged(reference)) {
      return { wrong: { code: 'ended_while_expanding' }, severity: 'protocol', exchanges: [ended] }
    }
    const isTurnedAway = failed.answer !== undefined && turnsAway(failed.answer)
    return reference !== undefined && isAccepted(reference, ackWithinMs * QUICK_SHARE) && !isTurnedAway
      ? { wrong: { code: 'answer_while_expanding' }, severity: 'protocol', exchanges: [failed] }
      : { untested: { code: 'as_uncompressed', exchange: failed } }
  },
}
