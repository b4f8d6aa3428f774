// Kills a sandbox and its receiver during payments, then checks that each event arrived and took effect exactly once.
// npm run proof -- sandbox [events] [--quick] [--seed <text>] [--write]

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seededOrganizations } from '../../../sandbox/service/keys.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { stopAndAudit } from '../shared/audit.ts'
import { type ProofOptions, type ProofResult, prove } from '../shared/prove.ts'
import { between, type Random, randomFrom } from '../shared/random.ts'
import { launch, type Receiver, start } from '../shared/receiver.ts'
import { sqliteStore } from '../shared/sqlite.ts'
import type { SentEvent } from '../shared/traffic.ts'
import { launchSandbox, type SandboxProcess, startSandbox } from './process.ts'

const SHARE_OF_REFUNDS = 0.25

/** The pause before a failed request is repeated. */
const RETRY_AFTER_MS = 50

/** For how long a failed request is repeated. */
const GIVE_UP_AFTER_MS = 60_000

interface MerchantOptions {
  /** The URL of the sandbox. */
  readonly url: string
  readonly apiKey: string
  /** Whether to create another payment. @param events how many events have been or are being triggered */
  readonly needsMore: (events: number) => boolean
  readonly random: Random
  /** How many customers pay at the same time, each one order after another. */
  readonly customers: number
  /** Called with every event that the sandbox has confirmed. */
  readonly onEvent: (event: SentEvent) => void
}

/**
 * Creates payments and pays them over HTTP, as a shop and its customers do, until `needsMore` returns false. It repeats
 * a request that fails: the Idempotency-Key prevents a second payment, and a payment that is already paid answers 409.
 * @throws Error if the sandbox does not come back
 */
async function sell(options: MerchantOptions): Promise<void> {
  const { url, apiKey, needsMore, random, customers, onEvent } = options
  let events = 0
  let orders = 0

  async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const deadline = performance.now() + GIVE_UP_AFTER_MS
    for (;;) {
      try {
        return await fetch(url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(10_000),
        })
      } catch (error) {
        if (performance.now() > deadline) throw error
        await wait(RETRY_AFTER_MS)
      }
    }
  }

  async function act(
    id: string,
    action: object,
    event: Omit<SentEvent, 'paymentId' | 'body' | 'acknowledged'>,
  ): Promise<void> {
    const { status } = await post(`/sandbox/payments/${id}/actions`, action)
    // 409: an earlier attempt succeeded, but its response was lost.
    if (status !== 200 && status !== 409)
      throw new Error(`the sandbox answered ${status} to ${JSON.stringify(action)}`)
    onEvent({ ...event, paymentId: id, body: Buffer.alloc(0), acknowledged: true })
  }

  async function customer(): Promise<void> {
    while (needsMore(events)) {
      events += 1
      orders += 1
      const order = orders
      const amount = `${between(random, 1, 400)}.${between(random, 10, 99)}`
      const refunded = random() < SHARE_OF_REFUNDS
      if (refunded) events += 1
      const created = await post(
        '/v1/payments',
        { amount, currency: 'USD', webhook_url: 'https://shop.example/webhooks' },
        { 'X-API-Key': apiKey, 'Idempotency-Key': `order-${order}` },
      )
      const { id } = (await created.json().catch(() => ({}))) as { id?: string }
      if (created.status !== 201)
        throw new Error(`the sandbox answered ${created.status} to POST /v1/payments`)
      // The connection was lost during the response, so the payment does not count.
      if (id === undefined) {
        events -= refunded ? 2 : 1
        continue
      }
      const price = { amount, currency: 'USD' }
      await act(id, { type: 'succeed' }, { event: 'payment.completed', ...price })
      await wait(between(random, 0, 60))
      if (refunded) await act(id, { type: 'reverse' }, { event: 'payment.refunded', ...price })
    }
  }

  await Promise.all(Array.from({ length: customers }, customer))
}

/** The least number of events, and of kills of each process. A fast machine triggers more events until the last kill. */
const MINIMUM = { events: 1000, kills: 10 }
const QUICK_MINIMUM = { events: 200, kills: 3 }
const CUSTOMERS = 6

/** As long as the longest retry interval with its jitter, so that every retry is due. */
const ADVANCE_MS = 400_000
const DRAIN_WITHIN_MS = 60_000

await prove('sandbox', (options) => withTemporaryFolder((folder) => run(options, folder)))

async function run({ dist, seed, quick, amount }: ProofOptions, folder: string): Promise<ProofResult> {
  const [organization] = seededOrganizations(seed)
  if (organization === undefined) throw new Error('the sandbox has no organization')
  const { testKey: apiKey, webhookUrlSecret } = organization
  const random = randomFrom(seed)
  const violations: string[] = []
  const sent: SentEvent[] = []
  const inbox = join(folder, 'inbox.sqlite')
  const env = { INBOX: inbox, WEBHOOK_SECRET: webhookUrlSecret }
  const shop = await start({ dist, env })
  const file = join(folder, 'sandbox.sqlite')
  const route = `https://shop.example/=http://127.0.0.1:${shop.port}/`
  const args = ['--file', file, '--seed', seed, '--route', route]
  const first = await startSandbox(dist, ['--port', '0', ...args])
  const { url } = first
  const { port } = new URL(url)

  const sold = new AbortController()
  const killing = {
    sandbox: killRepeatedly<SandboxProcess>(first, () => launchSandbox(dist, ['--port', port, ...args]), {
      random: randomFrom(`${seed} sandbox`),
      signal: sold.signal,
    }),
    receiver: killRepeatedly<Receiver>(shop, () => launch({ dist, env, port: shop.port }), {
      random: randomFrom(`${seed} receiver`),
      signal: sold.signal,
    }),
  }
  const started = performance.now()
  const minimum = quick ? QUICK_MINIMUM : MINIMUM
  const leastEvents = amount ?? minimum.events
  const fewestKills = () => Math.min(killing.sandbox.count(), killing.receiver.count())
  const needsMore = (events: number) => events < leastEvents || fewestKills() < minimum.kills
  await sell({ url, apiKey, needsMore, random, customers: CUSTOMERS, onEvent: (event) => sent.push(event) })
  sold.abort()
  const [sandbox, receiver] = [await killing.sandbox.last, await killing.receiver.last]
  const processes = { sandbox, receiver }
  for (const [name, { listening, stderr }] of Object.entries(processes)) {
    if ((await listening) === undefined) violations.push(`the ${name} did not start: ${stderr()}`)
  }
  const seconds = (performance.now() - started) / 1000

  const pending = await deliverEverything(url)
  if (pending > 0) violations.push(`${pending} deliveries are still pending`)
  const store = sqliteStore(inbox)
  const result = await stopAndAudit([receiver], store, sent)
  const code = await sandbox.stop()
  if (code !== 0) violations.push(`the sandbox exited with code ${code}: ${sandbox.stderr()}`)

  const { states, attempts } = await deliveriesIn(file)
  for (const [state, count] of states)
    if (state !== 'delivered') violations.push(`${count} deliveries are ${state}`)
  violations.push(...result.violations)
  if (result.stored !== sent.length) violations.push(`${result.stored} of ${sent.length} events arrived`)
  if (fewestKills() < minimum.kills) violations.push('too few kills for a proof')
  return {
    figures: [
      ['events', formatCount(sent.length)],
      [
        'kills (SIGKILL)',
        `${killing.sandbox.count()} of the sandbox, ${killing.receiver.count()} of the receiver, in ${seconds.toFixed(0)} s`,
      ],
      ['attempts', formatCount(attempts)],
      ['events in the inbox', formatCount(result.stored)],
      ['effects', formatCount(result.effects)],
      ['lost', String(result.lost)],
      ['duplicated', String(result.duplicated)],
      ['integrity check of the inbox', store.problems().length === 0 ? 'ok' : 'FAILED'],
    ],
    violations,
  }
}

interface Killable {
  readonly listening: Promise<unknown>
  kill(): Promise<void>
}

/**
 * Kills a process at random moments, a third of them during its start, and starts the next, until it is aborted.
 * @returns how many kills there were so far, and the process that runs after the last one
 */
function killRepeatedly<Process extends Killable>(
  first: Process,
  startNext: () => Process,
  { random, signal }: { random: Random; signal: AbortSignal },
): { count: () => number; last: Promise<Process> } {
  let kills = 0
  async function run(): Promise<Process> {
    for (let last = first; ; last = startNext()) {
      const duringStart = kills > 0 && random() < 1 / 3
      if (!duringStart) await last.listening
      const pause = duringStart ? between(random, 20, 500) : between(random, 100, 2000)
      await wait(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return last
      await last.kill()
      kills += 1
    }
  }
  return { count: () => kills, last: run() }
}

/** Advances the sandbox's clock until no delivery is pending. @returns how many still are, up to 100 */
async function deliverEverything(url: string): Promise<number> {
  const deadline = performance.now() + DRAIN_WITHIN_MS
  for (;;) {
    await fetch(`${url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ advance_ms: ADVANCE_MS }),
    })
    await wait(500)
    const pending = await pendingDeliveries(url)
    if (pending === 0 || performance.now() > deadline) return pending
  }
}

async function pendingDeliveries(url: string): Promise<number> {
  const page = await (await fetch(`${url}/sandbox/events?state=pending&limit=100`)).json()
  return (page as { data: unknown[] }).data.length
}

async function deliveriesIn(file: string): Promise<{ states: [string, number][]; attempts: number }> {
  const store = await openStore(file)
  try {
    const rows = store.database
      .prepare('SELECT state, count(*) AS count, sum(attempts) AS attempts FROM deliveries GROUP BY state')
      .all() as { state: string; count: number; attempts: number }[]
    return {
      states: rows.map(({ state, count }) => [state, count]),
      attempts: rows.reduce((sum, { attempts }) => sum + attempts, 0),
    }
  } finally {
    store.close()
  }
}
