// Traces the system calls of a receiver with a SQLite file: before each 200, the delivery must have been synced to disk.
// npm run proof -- fsync [payments] [--quick] [--seed <text>] [--write]
import { join } from 'node:path'
import { createGenerator, serialize } from '../../../fixtures/index.ts'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { prove } from '../shared/prove.ts'
import { openConnection } from '../shared/raw-connection.ts'
import { start } from '../shared/receiver.ts'
import { runSystem } from '../shared/system.ts'
import { requestOf } from '../shared/traffic.ts'
import { type Judgment, judge } from './judge.ts'
import { readTrace, tracing } from './trace.ts'

const AT_ONCE = 16

/** Deliveries to one receiver. */
interface Part {
  readonly seed: string
  /** How many payments there are, with one event each. */
  readonly count: number
  /** How many of them are under way at the same time. */
  readonly atOnce: number
  readonly withoutSyncs?: boolean
}

await prove('fsync', async ({ dist, seed, quick, amount }) => {
  runSystem('strace', '--version')
  const count = amount ?? (quick ? 30 : 200)
  const parts: Readonly<Record<string, Part>> = {
    'one at a time': { seed: `${seed} one`, count, atOnce: 1 },
    [`${AT_ONCE} at once`]: { seed: `${seed} many`, count: 7 * count, atOnce: AT_ONCE },
  }
  const figures: [string, string][] = []
  const violations: string[] = []
  for (const [name, part] of Object.entries(parts)) {
    const { acknowledged, synced, problems, syncs } = await watch(dist, part)
    violations.push(...problems.map((problem) => `${name}: ${problem}`))
    if (acknowledged !== part.count)
      violations.push(`${name}: the trace contains ${acknowledged} × 200 for ${part.count} deliveries`)
    const judged = `${formatCount(synced)} after a sync, ${problems.length} without`
    figures.push([name, `${formatCount(acknowledged)} × 200: ${judged}; ${formatCount(syncs)} syncs`])
  }
  const control = { seed: `${seed} control`, count: AT_ONCE, atOnce: 1, withoutSyncs: true }
  const { acknowledged, synced, uncommitted } = await watch(dist, control)
  if (acknowledged !== control.count || synced + uncommitted > 0)
    violations.push(
      `control: the kernel skipped every sync; of ${acknowledged} × 200, ${synced} seemed to follow one, and ${uncommitted} had no commit: the proof cannot see a missing sync`,
    )
  const unsynced = `${acknowledged} × 200: ${acknowledged - synced - uncommitted} without a sync`
  figures.push(['control: every sync skipped', unsynced])
  return { figures, violations }
})

/** Traces a receiver from its start to its stop. */
function watch(dist: string, { withoutSyncs = false, ...part }: Part): Promise<Judgment> {
  return withTemporaryFolder(async (folder) => {
    const file = join(folder, 'trace')
    const env = { INBOX: join(folder, 'inbox.sqlite') }
    const receiver = await start({ dist, env, under: tracing(file, withoutSyncs) })
    await deliver(receiver.port, part)
    await receiver.stop()
    return judge(await readTrace(file, receiver.pid))
  })
}

/** Sends one event of each payment. */
async function deliver(port: number, { seed, count, atOnce }: Part): Promise<void> {
  const generator = createGenerator(seed)
  let left = count
  async function send(): Promise<void> {
    const connection = openConnection(() => port)
    while (left > 0) {
      left -= 1
      await connection.send(requestOf({ body: serialize(generator.event('completed')) }))
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: atOnce }, send))
}
