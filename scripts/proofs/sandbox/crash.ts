// Kills a sandbox and its receiver while payments happen, and looks whether each event has arrived and had its effect.
// npm run proof:sandbox -- [events] [--quick] [--seed <text>] [--write]
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { seededOrganizations } from '../../../sandbox/service/seed.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { audit } from '../shared/audit.ts'
import { inFolder } from '../shared/folder.ts'
import { type Asked, inThousands, prove, type Result } from '../shared/program.ts'
import { between, type Random, randomFrom } from '../shared/random.ts'
import { launch, type Receiver, start } from '../shared/receiver.ts'
import { damageIn, drained, storedIn } from '../shared/sqlite.ts'
import type { Sent } from '../shared/traffic.ts'
import { sell } from './merchant.ts'
import { launchSandbox, type SandboxProcess } from './sandbox.ts'

/** Whichever comes last: so many events, or so many kills of each process. A fast machine sells more in the meantime. */
const ENOUGH = { events: 1000, kills: 10 }
const QUICKLY_ENOUGH = { events: 200, kills: 3 }
const CUSTOMERS = 6

/** As long as the longest wait of the schedule, with its jitter: then every retry is due. */
const STEP_MS = 400_000
const DRAIN_WITHIN_MS = 60_000

await prove('sandbox', (asked) => inFolder((folder) => run(asked, folder)))

async function run({ dist, seed, quick, amount }: Asked, folder: string): Promise<Result> {
  const [organization] = seededOrganizations(seed)
  if (organization === undefined) throw new Error('a sandbox begins with an organization')
  const { testKey: key, webhookUrlSecret } = organization
  const random = randomFrom(seed)
  const broken: string[] = []
  const sent: Sent[] = []
  const inbox = join(folder, 'inbox.sqlite')
  const env = { INBOX: inbox, WEBHOOK_SECRET: webhookUrlSecret }
  const shop = await start({ dist, env })
  const file = join(folder, 'sandbox.sqlite')
  const route = `https://shop.example/=http://127.0.0.1:${shop.port}/`
  const words = ['--file', file, '--seed', seed, '--route', route]
  const first = launchSandbox(dist, '--port', '0', ...words)
  const url = await first.listening
  if (url === undefined) throw new Error(`the sandbox did not start: ${first.stderr().trim()}`)
  const { port } = new URL(url)

  const sold = new AbortController()
  const killing = {
    sandbox: killed<SandboxProcess>(first, () => launchSandbox(dist, '--port', port, ...words), {
      random: randomFrom(`${seed} sandbox`),
      until: sold.signal,
    }),
    receiver: killed<Receiver>(shop, () => launch({ dist, env, port: shop.port }), {
      random: randomFrom(`${seed} receiver`),
      until: sold.signal,
    }),
  }
  const begun = performance.now()
  const enough = quick ? QUICKLY_ENOUGH : ENOUGH
  const events = amount ?? enough.events
  const fewestKills = () => Math.min(killing.sandbox.count(), killing.receiver.count())
  const more = (begun: number) => begun < events || fewestKills() < enough.kills
  await sell({ url, key, more, random, customers: CUSTOMERS, told: (one) => sent.push(one) })
  sold.abort()
  const [sandbox, receiver] = [await killing.sandbox.last, await killing.receiver.last]
  for (const one of [sandbox, receiver]) {
    if ((await one.listening) === undefined) broken.push(`did not start: ${one.stderr()}`)
  }
  const seconds = (performance.now() - begun) / 1000

  const waiting = await everythingDelivered(url)
  if (waiting > 0) broken.push(`${waiting} deliveries still wait`)
  const open = await drained(inbox)
  if (open > 0) broken.push(`${open} events were still open 30 s after the last delivery`)
  for (const one of [sandbox, receiver]) {
    const code = await one.stop()
    if (code !== 0) broken.push(`ended with exit code ${code}: ${one.stderr()}`)
  }

  const { states, attempts } = await deliveriesIn(file)
  for (const [state, count] of states) if (state !== 'delivered') broken.push(`${count} deliveries: ${state}`)
  const found = audit(sent, storedIn(inbox))
  const damage = damageIn(inbox)
  broken.push(...found.broken, ...damage)
  if (found.stored !== sent.length) broken.push(`${found.stored} events arrived of ${sent.length}`)
  if (fewestKills() < enough.kills) broken.push('too few kills to tell')
  return {
    figures: [
      ['events', inThousands(sent.length)],
      [
        'kills (SIGKILL)',
        `${killing.sandbox.count()} of the sandbox, ${killing.receiver.count()} of the receiver, in ${seconds.toFixed(0)} s`,
      ],
      ['attempts', inThousands(attempts)],
      ['events in the inbox', inThousands(found.stored)],
      ['effects', inThousands(found.effects)],
      ['lost', String(found.lost)],
      ['doubled', String(found.doubled)],
      ['integrity check of the inbox', damage.length === 0 ? 'ok' : 'FAILED'],
    ],
    broken,
  }
}

interface Killable {
  readonly listening: Promise<unknown>
  kill(): Promise<void>
}

interface Killing<One> {
  /** Of kills so far. */
  count(): number
  /** The process that lives when the killing is over. */
  readonly last: Promise<One>
}

/** Kills a process at random moments, a third of them during its start, and starts the next. */
function killed<One extends Killable>(
  first: One,
  next: () => One,
  { random, until }: { random: Random; until: AbortSignal },
): Killing<One> {
  let kills = 0
  async function goOn(): Promise<One> {
    for (let last = first; ; last = next()) {
      const early = kills > 0 && random() < 1 / 3
      if (!early) await last.listening
      const pause = early ? between(random, 20, 500) : between(random, 100, 2000)
      await wait(pause, undefined, { signal: until }).catch(() => {})
      if (until.aborted) return last
      await last.kill()
      kills += 1
    }
  }
  return { count: () => kills, last: goOn() }
}

/** Moves the sandbox's clock on until nothing waits any more. @returns how many do after all, up to 100 */
async function everythingDelivered(url: string): Promise<number> {
  const deadline = performance.now() + DRAIN_WITHIN_MS
  for (;;) {
    await fetch(`${url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ advance_ms: STEP_MS }),
    })
    await wait(500)
    const waiting = await waitingAt(url)
    if (waiting === 0 || performance.now() > deadline) return waiting
  }
}

async function waitingAt(url: string): Promise<number> {
  const answer = await (await fetch(`${url}/sandbox/events?state=waiting&limit=100`)).json()
  return (answer as { data: unknown[] }).data.length
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
