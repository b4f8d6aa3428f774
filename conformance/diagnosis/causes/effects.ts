import type { Verdict } from '../../contracts/payment-service/model.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Evidence, lacksEffects } from '../evidence.ts'

/**
 * No effect that is observed is one: the cases have no result, and that says nothing about the receiver.
 *
 * @returns undefined unless several cases are untested for that reason
 */
export function unreadableEffects(verdicts: readonly Verdict[]): Candidate | undefined {
  const unread = verdicts.filter((verdict) => unreadableIn(verdict) !== undefined)
  const why = unread[0] && unreadableIn(unread[0])
  if (why === undefined || unread.length < 2 || verdicts.some(({ effects }) => hasAny(effects)))
    return undefined
  return {
    code: 'effects_unreadable',
    sentence: `The effects that the receiver shows cannot be read: ${why}.`,
    fix: 'Return {"effects": [{"event", "effect", "amount", "currency", "livemode"}]} for the payment, oldest first, with strings for all but livemode; schemas/observation.json describes it.',
    observed: true,
    explains: new Set(unread),
  }
}

function unreadableIn({ reason }: Verdict): string | undefined {
  return reason?.code === 'observation_failed' ? reason.unreadable : undefined
}

/** Acknowledged payments, and no effect of any: it may be another receiver that is observed. */
function noEffects({ verdicts, lateEffects }: Evidence): Candidate[] {
  const observed = verdicts.filter(
    ({ case: { needs }, exchanges, effects }) =>
      needs === 'effects' && exchanges.length > 0 && effects !== undefined,
  )
  const paid = observed.filter(({ exchanges }) =>
    exchanges.some(
      ({ delivery, answer }) =>
        delivery.role === 'control' && delivery.event === 'payment.completed' && answer?.status === 200,
    ),
  )
  const seen = observed.some(({ outcome, effects }) => outcome === 'passed' || hasAny(effects))
  if (paid.length < 2 || seen || lateEffects.size > 0) return []
  return [
    {
      code: 'no_effects',
      sentence: 'Payments are acknowledged, but no effect of any of them was observed.',
      fix: "Check that --observe reads from this receiver's database, and that the worker that handles stored deliveries is running. If the receiver ignores test events by design, use --mode live.",
      observed: true,
      explains: new Set(paid.filter(({ outcome }) => outcome !== 'passed')),
    },
  ]
}

/** The effects were there when the run had ended. */
function slowEffects({ verdicts, lateEffects }: Evidence): Candidate[] {
  const explains = new Set(
    verdicts.filter(
      (verdict) =>
        lacksEffects(verdict) &&
        verdict.exchanges.some(({ delivery }) => lateEffects.has(delivery.paymentId ?? '')),
    ),
  )
  if (explains.size === 0) return []
  return [
    {
      code: 'slow_effects',
      sentence: 'Effects appear later than the suite waits for them.',
      fix: 'Set --wait above the time that the receiver takes to handle an acknowledged delivery.',
      observed: true,
      explains,
    },
  ]
}

const hasAny = (effects: ReadonlyMap<string, readonly unknown[]> | undefined) =>
  [...(effects?.values() ?? [])].some((list) => list.length > 0)

/** Effects that are observed late or never. */
export const effectCauses: Recognize = (evidence) => [...slowEffects(evidence), ...noEffects(evidence)]
