// Measures one figure of the sandbox in this process and prints it: `sandbox-worker.ts queue|sender|memory <url>`.
import { join } from 'node:path'
import { createTemporaryFolder } from '../shared/temporary-folder.ts'
import { built } from './pinned.ts'

const { compose } = await built<typeof import('../../sandbox/compose.ts')>('sandbox/compose.js')
const { resolveOptions } = await built<typeof import('../../sandbox/options.ts')>('sandbox/options.js')
const { createSender } = await built<typeof import('../../sandbox/deliveries/sender.ts')>(
  'sandbox/deliveries/sender.js',
)
const { signatureFor } = await built<typeof import('../../sandbox/deliveries/chaos.ts')>(
  'sandbox/deliveries/chaos.js',
)
const { parseRoute, routeMap } = await built<typeof import('../../sandbox/deliveries/routes.ts')>(
  'sandbox/deliveries/routes.js',
)

const COUNT = 3000
const AT_ONCE = 16
const DAY_MS = 86_400_000
const WEBHOOK_URL = 'https://shop.example/webhooks'
const MIB = 1024 * 1024

const [, , figure = '', url = ''] = process.argv
const route = `https://shop.example/=${new URL(url).origin}/`
const folder = createTemporaryFolder()
const parts = await compose(resolveOptions({ file: join(folder.path, 'sandbox.sqlite'), routes: [route] }))

/** Completes payments in one transaction, since it is not measured; their deliveries are due after a delay. */
function completePayments(count: number, delayMs: number): void {
  const { store, payments } = parts
  const organizationId = store.organizations.list()[0]?.id ?? ''
  const order = {
    organizationId,
    mode: 'test',
    amount: '25.00',
    currency: 'USD',
    webhookUrl: WEBHOOK_URL,
  } as const
  store.transaction(() => {
    for (let completed = 0; completed < count; completed += 1) {
      const chaos = delayMs === 0 ? {} : { chaos: { delayMs } }
      payments.act(payments.create(order).id, { type: 'succeed' }, chaos)
    }
  })
}

/** Deliveries per second from the queue, when all are due at once. */
async function queue(): Promise<number> {
  completePayments(COUNT, DAY_MS)
  const started = performance.now()
  parts.windows.advance(DAY_MS)
  await parts.deliveries.idle()
  return rateSince(started)
}

/** Deliveries per second by the sender alone: the same bytes, individually signed. */
async function sender(): Promise<number> {
  const senderAlone = createSender({ routes: routeMap([parseRoute(route)]) })
  completePayments(1, DAY_MS)
  const [organization] = parts.store.organizations.list()
  const [event] = parts.store.database.prepare('SELECT body FROM events LIMIT 1').all() as {
    body: Uint8Array
  }[]
  const body = event?.body ?? Buffer.alloc(0)
  const secret = organization?.webhookUrlSecret ?? ''
  const { signal } = new AbortController()
  let left = COUNT
  const started = performance.now()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const signature = signatureFor({ secret, body, now: Date.now(), attempt: 1 })
        await senderAlone.send({ url: WEBHOOK_URL, body, signature }, signal)
      }
    }),
  )
  senderAlone.close()
  return rateSince(started)
}

const rateSince = (started: number): number => (COUNT * 1000) / (performance.now() - started)

/** The memory of the process and its heap, in MiB, after a thousand events and after a hundred thousand. */
async function memory(): Promise<Record<'few' | 'many', { rss: number; heap: number }>> {
  const sizes = { few: { rss: 0, heap: 0 }, many: { rss: 0, heap: 0 } }
  for (let batch = 1; batch <= 100; batch += 1) {
    completePayments(1000, 0)
    await parts.deliveries.idle()
    if (batch === 1) sizes.few = memorySize()
  }
  sizes.many = memorySize()
  return sizes
}

function memorySize(): { rss: number; heap: number } {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / MIB, heap: heapUsed / MIB }
}

const figures: Readonly<Record<string, () => Promise<unknown>>> = { queue, sender, memory }
const measure = figures[figure]
if (measure === undefined) throw new Error(`bench: unknown figure "${figure}"`)
console.log(JSON.stringify(await measure()))
await parts.close()
folder.remove()
