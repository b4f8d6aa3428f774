/** Limits on what one statement carries; the bytes are those of the bodies. */
const MOST_ROWS = 1000
const MOST_BYTES = 8_388_608

/** How many batches may be under way at once. More would only split the work into smaller commits. */
const MOST_AT_ONCE = 2

export interface Row {
  /** What makes two deliveries the same event. */
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
  /** Resolves when nothing is under way. */
  drain(): Promise<void>
}

/**
 * Collects what arrives in one turn of the event loop, and whatever comes while earlier batches are being written, and
 * writes it together. A batch that fails is refused as a whole; those after it are tried again.
 * @param write stores rows with different keys, in the order of their keys; answers the keys that were new
 */
export function inBatches<R extends Row>(write: (rows: R[]) => Promise<ReadonlySet<string>>): Batches<R> {
  let waiting: Waiting<R>[] = []
  const underWay = new Set<Promise<void>>()

  function next(): void {
    while (waiting.length > 0 && underWay.size < MOST_AT_ONCE) {
      const batch = waiting.splice(0, portionOf(waiting))
      const writing = settle(batch, write).finally(() => {
        underWay.delete(writing)
        next()
      })
      underWay.add(writing)
    }
  }

  return {
    accept: (row) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ row, resolve, reject }) === 1) setImmediate(next)
      }),
    async drain() {
      next()
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

function portionOf(waiting: readonly Waiting<Row>[]): number {
  let bytes = 0
  const end = waiting.findIndex(({ row }, at) => {
    bytes += row.body.length
    return at > 0 && (at === MOST_ROWS || bytes > MOST_BYTES)
  })
  return end === -1 ? waiting.length : end
}

async function settle<R extends Row>(
  batch: readonly Waiting<R>[],
  write: (rows: R[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const first = new Map<string, Waiting<R>>()
  for (const one of batch) if (!first.has(one.row.key)) first.set(one.row.key, one)
  // Two receivers that store the same events in different orders would wait for each other without end.
  const rows = [...first.values()].map(({ row }) => row).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  try {
    const stored = await write(rows)
    for (const one of batch) {
      const { key } = one.row
      one.resolve(stored.has(key) && first.get(key) === one ? 'stored' : 'duplicate')
    }
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
