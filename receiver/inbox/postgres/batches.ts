/** Limits of one statement: rows, and bytes of their bodies. */
const MAX_ROWS = 1000
const MAX_BYTES = 8_388_608

/** How many batches may be written at once. More would only split the work into smaller commits. */
const MAX_CONCURRENT = 2

export interface Row {
  /** The deduplication key. */
  readonly key: string
  readonly body: Buffer
}

interface Waiting<R extends Row> {
  readonly row: R
  readonly resolve: (outcome: 'stored' | 'duplicate') => void
  readonly reject: (reason: unknown) => void
}

export interface Batches<R extends Row> {
  accept(row: R): Promise<'stored' | 'duplicate'>
  /** Resolves when every batch has been written. */
  drain(): Promise<void>
}

/**
 * Collects the rows that arrive in one turn of the event loop, or while earlier batches are being written, and writes
 * them together. If a batch fails, all of its rows are rejected; later batches are still written.
 * @param write stores rows with distinct keys, sorted by key; resolves to the keys that were new
 */
export function inBatches<R extends Row>(write: (rows: R[]) => Promise<ReadonlySet<string>>): Batches<R> {
  let waiting: Waiting<R>[] = []
  const running = new Set<Promise<void>>()

  function next(): void {
    while (waiting.length > 0 && running.size < MAX_CONCURRENT) {
      const batch = waiting.splice(0, batchSize(waiting))
      const writing = writeBatch(batch, write).finally(() => {
        running.delete(writing)
        next()
      })
      running.add(writing)
    }
  }

  return {
    accept: (row) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ row, resolve, reject }) === 1) setImmediate(next)
      }),
    async drain() {
      next()
      while (running.size > 0) await Promise.all(running)
    },
  }
}

function batchSize(waiting: readonly Waiting<Row>[]): number {
  let bytes = 0
  const end = waiting.findIndex(({ row }, at) => {
    bytes += row.body.length
    return at > 0 && (at === MAX_ROWS || bytes > MAX_BYTES)
  })
  return end === -1 ? waiting.length : end
}

async function writeBatch<R extends Row>(
  batch: readonly Waiting<R>[],
  write: (rows: R[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const first = new Map<string, Waiting<R>>()
  for (const item of batch) if (!first.has(item.row.key)) first.set(item.row.key, item)
  // Sorted, because two receivers that store the same events in different orders would deadlock.
  const rows = [...first.values()].map(({ row }) => row).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  try {
    const stored = await write(rows)
    for (const item of batch) {
      const { key } = item.row
      item.resolve(stored.has(key) && first.get(key) === item ? 'stored' : 'duplicate')
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

/**
 * Limits how many works run at the same time; the others wait, first come, first served.
 * @param max how many may run at once
 */
export function limitConcurrency(max: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work) => {
    // A work that ends passes its place on, so `running` stays the same then.
    if (running < max) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
