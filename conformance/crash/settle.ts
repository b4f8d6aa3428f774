import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../schemas/types.ts'
import { EngineError } from '../engine/errors.ts'
import type { Observer } from '../engine/observe/observe.ts'
import { awakeNow } from '../engine/time/awake.ts'
import { type Discrepancy, judgePayment, type Payment } from './payments.ts'
import type { World } from './receiver.ts'

/** What the receiver shows for each payment. */
type Effects = ReadonlyMap<string, readonly Effect[]>

/** What was observed once the receiver had caught up, or once nothing had moved for long enough. */
export interface Settled {
  readonly effects: Effects
  readonly wrong: ReadonlyMap<Payment, Discrepancy>
  /** For how long nothing had moved, in milliseconds. */
  readonly quietMs: number
}

const LONGEST_GAP_MS = 250

/** How long to wait for effects, and who is informed meanwhile. */
type Patience = Pick<World, 'observer' | 'recoverWithinMs' | 'signal'> & Partial<Pick<World, 'onWaiting'>>

/**
 * Observes payments until no effect is missing, or until no effect of any of them has changed for `recoverWithinMs`: a backlog
 * that drains slowly is no loss.
 *
 * @throws EngineError `observation_failed` or `unreachable` when they could not be observed for `recoverWithinMs`
 */
export async function settle(
  payments: readonly Payment[],
  { observer, recoverWithinMs, signal, onWaiting }: Patience,
): Promise<Settled> {
  let movedAt = awakeNow()
  const effects = new Map<string, readonly Effect[]>()
  let open: readonly Payment[] = payments
  for (
    let gap = observer.intervalMs;
    ;
    gap = Math.min(gap * 1.5, Math.max(LONGEST_GAP_MS, observer.intervalMs))
  ) {
    signal?.throwIfAborted()
    const lookedAt = awakeNow()
    const failure = await observeEach(open, observer, (id, now) => {
      if (JSON.stringify(effects.get(id)) !== JSON.stringify(now) && now.length > 0) movedAt = awakeNow()
      effects.set(id, now)
    })
    const wrong = wrongAmong(payments, effects)
    const missing = [...wrong].filter(([, { kind }]) => kind === 'missing').map(([payment]) => payment)
    if (failure === undefined && missing.length === 0) return { effects, wrong, quietMs: lookedAt - movedAt }
    if (lookedAt - movedAt >= recoverWithinMs) {
      if (failure !== undefined) throw failure
      // Once more, all of them: the others may have changed since.
      if (open.length < payments.length) {
        open = payments
        continue
      }
      return { effects, wrong, quietMs: lookedAt - movedAt }
    }
    if (failure !== undefined) onWaiting?.('waiting for the effects to become observable')
    else
      onWaiting?.(`waiting for effects: ${missing.length} ${missing.length === 1 ? 'payment' : 'payments'}`)
    // Others may move too, and that shows that the receiver is still busy, but each observation costs time.
    open = failure === undefined ? missing : payments
    await pause(gap)
  }
}

/** Observes payments once. */
export async function look(payments: readonly Payment[], observer: Observer<Effect>): Promise<Settled> {
  const effects = new Map<string, readonly Effect[]>()
  const failure = await observeEach(payments, observer, (id, now) => effects.set(id, now))
  if (failure !== undefined) throw failure
  return { effects, wrong: wrongAmong(payments, effects), quietMs: 0 }
}

function wrongAmong(payments: readonly Payment[], effects: Effects): Map<Payment, Discrepancy> {
  return new Map(
    payments.flatMap((payment): [Payment, Discrepancy][] => {
      const wrong = judgePayment(payment, effects.get(payment.id) ?? [])
      return wrong === undefined ? [] : [[payment, wrong]]
    }),
  )
}

/** @returns the first error, after which the rest was not observed */
async function observeEach(
  payments: readonly Payment[],
  observer: Observer<Effect>,
  seen: (id: string, effects: readonly Effect[]) => void,
): Promise<EngineError | undefined> {
  const queue = [...payments]
  let failure: EngineError | undefined
  const lanes = Array.from({ length: observer.parallel }, async () => {
    for (let next = queue.shift(); next !== undefined && failure === undefined; next = queue.shift()) {
      try {
        seen(next.id, await observer.effects(next.id))
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        failure = error
      }
    }
  })
  await Promise.all(lanes)
  return failure
}
