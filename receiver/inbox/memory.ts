import { deduplicationKey, type Entry, type EntryState, type Inbox, LostAttemptError } from '../inbox.ts'
import { toBuffer } from './bytes.ts'
import { afterFailure, LAST_ATTEMPT_INTERRUPTED, type RetryPolicy, retryPolicy } from './retries.ts'

export interface MemoryInboxOptions {
  /** The current Unix time in milliseconds. */
  clock?: () => number
  retries?: Partial<RetryPolicy>
}

/**
 * An in-memory inbox for tests and trials: its entries are lost when the process ends. It has no transactions, so it cannot
 * undo what `transact` did before it threw.
 * @throws TypeError if a number in `retries` is not an integer of at least 1.
 */
export function memoryInbox({ clock = Date.now, retries }: MemoryInboxOptions = {}): Inbox<undefined> {
  const policy = retryPolicy(retries)
  const entries = new Map<string, Entry>()
  const keys = new Set<string>()
  // Two sets, so that claiming does not search a long queue: entries due now come before those due later.
  const dueNow = new Set<string>()
  const dueLater = new Set<string>()
  let lastId = 0

  function change(id: string, changes: Partial<Entry>): Entry | undefined {
    const before = entries.get(id)
    if (before === undefined) return undefined
    const entry = { ...before, ...changes }
    entries.set(id, entry)
    dueNow.delete(id)
    dueLater.delete(id)
    if (entry.state === 'pending') (entry.dueAt === 0 ? dueNow : dueLater).add(id)
    return entry
  }

  const inState = (state: EntryState) => [...entries.values()].filter((entry) => entry.state === state)

  function requireCurrent({ id, attempts }: Entry): void {
    const now = entries.get(id)
    if (now?.state !== 'processing' || now.attempts !== attempts) throw new LostAttemptError({ id, attempts })
  }

  return {
    async accept(delivery) {
      const key = deduplicationKey(delivery)
      if (keys.has(key)) return 'duplicate'
      const receivedAt = clock()
      keys.add(key)
      const id = String(++lastId)
      entries.set(id, {
        id,
        idempotencyKey: key,
        paymentId: delivery.paymentId,
        name: delivery.name,
        body: toBuffer(delivery.body),
        signedAt: delivery.signedAt,
        receivedAt,
        state: 'pending',
        attempts: 0,
        dueAt: 0,
        lastError: undefined,
      })
      dueNow.add(id)
      return 'stored'
    },
    async recover() {
      return inState('processing').flatMap(({ id, attempts }) => {
        const exhausted = attempts >= policy.maxAttempts
        const entry = change(
          id,
          exhausted ? { state: 'dead', dueAt: 0, lastError: LAST_ATTEMPT_INTERRUPTED } : { state: 'pending' },
        )
        return exhausted && entry !== undefined ? entry : []
      })
    },
    async claim(limit, now) {
      // The clock was wrong when they were scheduled.
      for (const id of dueLater) {
        const latest = now + policy.maxDelayMs
        if ((entries.get(id)?.dueAt ?? 0) > latest) change(id, { dueAt: latest })
      }
      const due = [...dueLater]
        .flatMap((id) => entries.get(id) ?? [])
        .filter(({ dueAt }) => dueAt <= now)
        .toSorted((a, b) => a.dueAt - b.dueAt)
        .map(({ id }) => id)
      return [...firstOf(dueNow, limit), ...due].slice(0, limit).flatMap((id) => {
        const attempts = (entries.get(id)?.attempts ?? 0) + 1
        return change(id, { state: 'processing', attempts }) ?? []
      })
    },
    async complete(entry, transact) {
      requireCurrent(entry)
      if (transact) {
        await transact(undefined)
        requireCurrent(entry)
      }
      change(entry.id, { state: 'done', dueAt: 0, lastError: undefined })
    },
    async fail(entry, reason) {
      requireCurrent(entry)
      const after = afterFailure(policy, entry.attempts, clock())
      change(entry.id, { dueAt: 0, ...after, lastError: reason })
      return after
    },
    async get(id) {
      return entries.get(id)
    },
    async list({ state, limit = 100 }) {
      return inState(state).slice(0, limit)
    },
    async retry(id) {
      if (entries.get(id)?.state !== 'dead') return false
      change(id, { state: 'pending', attempts: 0, dueAt: 0 })
      return true
    },
    async purge(before) {
      const expired = inState('done').filter(({ receivedAt }) => receivedAt < before)
      for (const { id, idempotencyKey } of expired) {
        entries.delete(id)
        keys.delete(idempotencyKey)
      }
      return expired.length
    },
    async depth(now) {
      const pending = inState('pending')
      const oldest = pending[0]
      return {
        pending: pending.length,
        processing: inState('processing').length,
        dead: inState('dead').length,
        oldestPendingMs: oldest && now - oldest.receivedAt,
      }
    },
    async check() {},
    async close() {},
  }
}

function* firstOf<T>(items: Iterable<T>, limit: number): Generator<T> {
  let left = limit
  for (const item of items) {
    if (left-- <= 0) return
    yield item
  }
}
