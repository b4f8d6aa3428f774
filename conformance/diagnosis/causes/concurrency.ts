import type { Verdict } from '../../contracts/webhook/model.ts'
import { isAcknowledged } from '../../engine/exchange.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Completion, completionsOf, eventIn, idOf } from '../handling.ts'
import { showsLoss } from '../investigate/loss.ts'
import { fulfilledTwice, isOpen, type Symptoms, timesIn } from '../symptoms.ts'

/** So many payments make it no coincidence. */
const ENOUGH = 2

const moneyOf = ({ amount, currency }: { readonly amount?: unknown; readonly currency?: unknown }) =>
  JSON.stringify([amount, currency])

/** The completed payments whose only delivery was acknowledged, with what the receiver did. */
const deliveredOnce = (verdicts: readonly Verdict[]): Completion[] =>
  verdicts
    .flatMap(completionsOf)
    .filter(({ id, verdict }) => verdict.exchanges.filter(({ delivery }) => delivery.key === id).length === 1)

/** Payments are credited with the amount of another one of the run, which no third one has. */
function mixedUp({ verdicts }: Symptoms): Candidate[] {
  const owners = new Map<string, Set<string>>()
  for (const { delivery } of verdicts.flatMap(({ exchanges }) => exchanges)) {
    const event = eventIn(delivery)
    if (event === undefined) continue
    const money = moneyOf(event)
    owners.set(money, (owners.get(money) ?? new Set()).add(idOf(event)))
  }
  const isOfAnother = ({ event, effects = [] }: Completion) =>
    effects.some(
      ({ amount, currency }) =>
        owners.get(moneyOf({ amount, currency }))?.size === 1 &&
        !JSON.stringify(event).includes(`"${amount}"`),
    )
  const wrong = deliveredOnce(verdicts).filter(isOfAnother)
  if (wrong.length < ENOUGH) return []
  return [
    {
      code: 'requests_mixed_up',
      data: { isMoney: true },
      explains: new Set(wrong.map(({ verdict }) => verdict).filter(isOpen)),
    },
  ]
}

/** Whether payments that were delivered once are fulfilled twice: no redelivery is the reason. */
export const isClaimedTwice = (verdicts: readonly Verdict[]): boolean =>
  deliveredOnce(verdicts).filter(({ effects }) => timesIn(effects ?? []) > 1).length >= ENOUGH

function claimedTwice({ open, verdicts }: Symptoms): Candidate[] {
  if (!isClaimedTwice(verdicts)) return []
  return [{ code: 'claimed_twice', explains: new Set(open.filter(fulfilledTwice)) }]
}

/** Whether its sender was gone before a response, and the redelivery that was acknowledged had no effect. */
function isCanceled(verdict: Verdict): boolean {
  const isGone = ({ delivery: { transport }, answer }: Verdict['exchanges'][number]) =>
    transport?.kind === 'raw' && transport.withinMs !== undefined && answer === undefined
  const gone = new Set(verdict.exchanges.filter(isGone).map(({ delivery }) => delivery.key))
  const lost = verdict.exchanges.filter(
    (exchange) => isAcknowledged(exchange) && verdict.effects?.get(exchange.delivery.key ?? '')?.length === 0,
  )
  return lost.length > 0 && lost.every(({ delivery }) => gone.has(delivery.key))
}

/** Only deliveries are lost whose senders were gone. */
function canceled({ open }: Symptoms): Candidate[] {
  const lossy = open.filter(showsLoss)
  if (lossy.length === 0 || !lossy.every(isCanceled)) return []
  return [{ code: 'work_canceled', explains: new Set(lossy) }]
}

/** What deliveries do to each other that are handled at the same time (SPEC.md 9.1 and 9.13). */
export const concurrencyCauses: Recognize = (symptoms) => [
  ...mixedUp(symptoms),
  ...claimedTwice(symptoms),
  ...canceled(symptoms),
]
