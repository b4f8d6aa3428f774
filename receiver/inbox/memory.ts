import { deduplicationKey, type Entry, type EntryState, type Inbox, LostAttemptError } from '../inbox.ts'
import { afterFailure, LAST_ATTEMPT_UNENDED, type RetryPolicy, retryPolicy } from './retries.ts'

export interface MemoryInboxOptions {
  /** Now, in milliseconds. */
  clock?: () => number
  retries?: Partial<RetryPolicy>
}

/**
 * An inbox for tests and first trials: it is lost with the process, and it grows for as long as that lives. It has no
 * transaction to hand out, so it can not take back what `transact` did before it threw.
 * @throws TypeError if a number of `retries` is no whole number above 0.
 */
export function memoryInbox({ clock = Date.now, retries }: MemoryInboxOptions = {}): Inbox<undefined> {
  const policy = retryPolicy(retries)
  const entries = new Map<string, Entry>()
  const keys = new Set<string>()
  // Kept apart so that a long queue need not be searched: whatever is due at once comes before what is due later.
  const atOnce = new Set<string>()
  const later = new Set<string>()
  let lastId = 0

  function change(id: string, changes: Partial<Entry>): Entry | undefined {
    const before = entries.get(id)
    if (before === undefined) return undefined
    const entry = { ...before, ...changes }
    entries.set(id, entry)
    atOnce.delete(id)
    later.delete(id)
    if (entry.state === 'pending') (entry.dueAt === 0 ? atOnce : later).add(id)
    return entry
  }

  const inState = (state: EntryState) => [...entries.values()].filter((entry) => entry.state === state)

  function requireUnderWay({ id, attempts }: Entry): void {
    const now = entries.get(id)
    if (now?.state !== 'processing' || now.attempts !== attempts) throw new LostAttemptError({ id, attempts })
  }

  return {
    async accept(delivery) {
      const key = deduplicationKey(delivery)
      if (keys.has(key)) return 'duplicate'
      keys.add(key)
      const id = String(++lastId)
      entries.set(id, {
        id,
        idempotencyKey: key,
        paymentId: delivery.paymentId,
        name: delivery.name,
        body: delivery.body,
        signedAt: delivery.signedAt,
        receivedAt: clock(),
        state: 'pending',
        attempts: 0,
        dueAt: 0,
        lastError: undefined,
      })
      atOnce.add(id)
      return 'stored'
    },
    async recover() {
      return inState('processing').flatMap(({ id, attempts }) => {
        const usedUp = attempts >= policy.maxAttempts
        const entry = change(
          id,
          usedUp ? { state: 'dead', dueAt: 0, lastError: LAST_ATTEMPT_UNENDED } : { state: 'pending' },
        )
        return usedUp && entry !== undefined ? entry : []
      })
    },
    async claim(limit, now) {
      const due = [...later]
        .flatMap((id) => entries.get(id) ?? [])
        .filter(({ dueAt }) => dueAt <= now)
        .toSorted((a, b) => a.dueAt - b.dueAt)
        .map(({ id }) => id)
      return [...take(atOnce, limit), ...due].slice(0, limit).flatMap((id) => {
        const attempts = (entries.get(id)?.attempts ?? 0) + 1
        return change(id, { state: 'processing', attempts }) ?? []
      })
    },
    async complete(entry, transact) {
      requireUnderWay(entry)
      if (transact) {
        await transact(undefined)
        requireUnderWay(entry)
      }
      change(entry.id, { state: 'done', dueAt: 0, lastError: undefined })
    },
    async fail(entry, reason) {
      requireUnderWay(entry)
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

function* take<T>(items: Iterable<T>, limit: number): Generator<T> {
  let left = limit
  for (const item of items) {
    if (left-- <= 0) return
    yield item
  }
}
