// Traces the system calls of the receiver and of its store: before each 200, the delivery must have been synced to disk.
// npm run proof -- fsync [payments] [--quick] [--seed <text>] [--only sqlite|postgres] [--write]

import { join } from 'node:path'
import { formatCount } from '../../shared/numbers.ts'
import { childrenOf } from '../../shared/process-info.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { startPostgres } from '../shared/postgres.ts'
import { merged, type ProofOptions, type ProofResult, proveParts } from '../shared/prove.ts'
import { start } from '../shared/receiver.ts'
import { commitsInLog, commitsInWal } from './commits.ts'
import { type Delivered, deliver, requestNothing } from './deliveries.ts'
import { acknowledgmentsIn, type Judgment, judge } from './judge.ts'
import { type Call, requireStrace, traced } from './strace.ts'

const AT_ONCE = 16

type Running = Awaited<ReturnType<typeof start>>

/** One or two receivers with one store. */
interface Setup {
  readonly name: string
  readonly receivers: readonly [Running, second?: Running]
  /** The processes of the store, if it has its own. */
  readonly storeProcesses: () => readonly number[]
  readonly commitsIn: (calls: readonly Call[]) => Map<string, Call>
}

/** How many payments are delivered one at a time; at once they are more. */
const countOf = ({ quick, amount }: ProofOptions): number => amount ?? (quick ? 30 : 200)

/** Delivers one by one, then several at once, then as a control with syncs that the kernel skips. */
async function watch(options: ProofOptions, setup: Setup): Promise<ProofResult> {
  const { name } = setup
  const count = countOf(options)
  const single = await run(options, setup, 'one at a time', { count, atOnce: 1 })
  const parallel = await run(options, setup, `${AT_ONCE} at once`, { count: 7 * count, atOnce: AT_ONCE })
  const control = await run(options, setup, 'control', { count: AT_ONCE, atOnce: 1, withoutSyncs: true })

  const { synced, uncommitted, acknowledged } = control.judgment
  const unseen =
    synced + uncommitted === 0
      ? []
      : [
          `${name}, control: the kernel skipped every sync; of ${acknowledged} 200s, ${synced} seemed to follow one, and ${uncommitted} had no commit: the proof cannot see a missing sync`,
        ]
  return {
    figures: [
      single.figure,
      parallel.figure,
      [
        `${name}, control: every sync skipped`,
        `${acknowledged} × 200: ${acknowledged - synced - uncommitted} without a sync`,
      ],
    ],
    violations: [...single.violations, ...parallel.violations, ...unseen],
  }
}

/** The second receiver gets copies of what the first one may not have synced yet: it must wait for the sync too. */
async function watchCopies(options: ProofOptions, setup: Setup): Promise<ProofResult> {
  const part = { count: 10 * countOf(options), atOnce: AT_ONCE }
  const { figure, violations } = await run(options, setup, 'with copies to a second receiver', part)
  return { figures: [figure], violations }
}

interface Part {
  readonly count: number
  readonly atOnce: number
  readonly withoutSyncs?: boolean
}

interface PartResult {
  readonly judgment: Judgment
  readonly figure: [name: string, value: string]
  readonly violations: readonly string[]
}

const run = (
  { seed }: ProofOptions,
  { name, receivers, storeProcesses, commitsIn }: Setup,
  part: string,
  { count, atOnce, withoutSyncs = false }: Part,
): Promise<PartResult> =>
  withTemporaryFolder(async (folder) => {
    const [first, second] = receivers
    const processes = [...storeProcesses(), ...receivers.flatMap((receiver) => receiver?.pid ?? [])]
    let delivered: Delivered = { sent: 0, acknowledged: 0 }
    const calls = await traced({ processes, file: join(folder, 'trace'), withoutSyncs }, async () => {
      const copiesTo = second?.port
      delivered = await deliver({
        port: first.port,
        copiesTo,
        seed: `${seed} ${name} ${part}`,
        count,
        atOnce,
      })
      for (const receiver of receivers) if (receiver !== undefined) await requestNothing(receiver.port)
    })
    const judgment = judge(calls, acknowledgmentsIn(calls), commitsIn(calls))
    const { sent, acknowledged } = delivered
    const violations = judgment.problems.map((problem) => `${name}, ${part}: ${problem}`)
    if (acknowledged !== sent || judgment.acknowledged !== sent)
      violations.push(
        `${name}, ${part}: of ${sent} deliveries, ${acknowledged} got a 200, and the trace contains ${judgment.acknowledged}`,
      )
    return { judgment, figure: [`${name}, ${part}`, describe(judgment)], violations }
  })

function describe({ acknowledged, synced, problems, syncs, mostPerSync }: Judgment): string {
  return `${formatCount(acknowledged)} × 200: ${formatCount(synced)} after a sync, ${problems.length} without; ${formatCount(syncs)} syncs, up to ${mostPerSync} × 200 after one`
}

await proveParts('fsync', {
  sqlite: (options) =>
    withTemporaryFolder(async (folder) => {
      requireStrace()
      const { dist } = options
      const env = { INBOX: join(folder, 'inbox.sqlite') }
      const receiver = await start({ dist, env })
      const setup: Setup = {
        name: 'SQLite',
        receivers: [receiver],
        storeProcesses: () => [],
        commitsIn: commitsInLog,
      }
      const one = await watch(options, setup)
      const second = await start({ dist, env })
      const two = await watchCopies(options, { ...setup, receivers: [receiver, second] })
      await Promise.all([receiver.stop(), second.stop()])
      return merged([one, two])
    }),
  async postgres(options) {
    requireStrace()
    const postgres = await startPostgres()
    try {
      const receiver = await start({ dist: options.dist, env: { INBOX: postgres.url } })
      // So that all connections are open before they are traced.
      const first = { port: receiver.port, seed: `${options.seed} first`, count: 200, atOnce: 2 * AT_ONCE }
      await deliver(first)
      const server = postgres.pid()
      const storeProcesses = () => [server, ...childrenOf(server)]
      const result = await watch(options, {
        name: 'Postgres',
        receivers: [receiver],
        storeProcesses,
        commitsIn: commitsInWal,
      })
      await receiver.stop()
      return result
    } finally {
      // Nothing in it is needed any more, and an orderly stop takes longer.
      await postgres.stop('immediate')
      await postgres.remove()
    }
  },
})
