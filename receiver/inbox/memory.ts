import { deduplicationKey, type Entry, type Inbox } from '../inbox.ts'

/**
 * An inbox for tests and first trials: it is lost with the process, and it grows for as long as that lives.
 * @param options.clock now, in milliseconds
 */
export function memoryInbox({ clock = Date.now }: { clock?: () => number } = {}): Inbox {
  const entries = new Map<string, Entry>()
  const keys = new Set<string>()
  // Kept apart so that a long queue need not be searched: whatever is due at once comes before what is due later.
  const atOnce = new Set<string>()
  const later = new Set<string>()

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

  const inState = (state: Entry['state']) => [...entries.values()].filter((entry) => entry.state === state)

  return {
    async accept(delivery) {
      const key = deduplicationKey(delivery)
      if (keys.has(key)) return 'duplicate'
      const id = String(keys.add(key).size)
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
      for (const { id } of inState('processing')) change(id, { state: 'pending' })
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
    async complete(id) {
      change(id, { state: 'done', dueAt: 0, lastError: undefined })
    },
    async retryLater(id, dueAt, error) {
      change(id, { state: 'pending', dueAt, lastError: error })
    },
    async giveUp(id, error) {
      change(id, { state: 'dead', dueAt: 0, lastError: error })
    },
    async list({ state, limit = 100 }) {
      return inState(state).slice(0, limit)
    },
    async retry(id) {
      if (entries.get(id)?.state !== 'dead') return false
      change(id, { state: 'pending', attempts: 0, dueAt: 0 })
      return true
    },
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
