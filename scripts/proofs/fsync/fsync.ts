// Traces the system calls of the receiver and of its store: before each 200, the delivery must have been synced to disk.
// npm run proof:fsync -- [deliveries] [--quick] [--seed <text>] [--only sqlite|postgres] [--write]

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatCount } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { startPostgres } from '../shared/postgres.ts'
import { type ProofOptions, type ProofResult, prove } from '../shared/prove.ts'
import { type Receiver, start } from '../shared/receiver.ts'
import { NotPossible } from '../shared/system.ts'
import { deliver, requestNothing } from './deliveries.ts'
import { type Judgment, judge } from './judge.ts'
import { commitsInWal } from './postgres-log.ts'
import { acknowledgmentsIn } from './responses.ts'
import { commitsInLog } from './sqlite-log.ts'
import { requireStrace, traced } from './strace.ts'
import type { Call } from './trace.ts'

const CONNECTIONS = 16

interface Store {
  readonly name: string
  readonly receiver: Receiver & { readonly port: number }
  readonly processes: () => number[]
  readonly commitsIn: (calls: readonly Call[]) => Map<string, Call>
}

const STORES: Readonly<Record<string, (options: ProofOptions) => Promise<ProofResult>>> = {
  sqlite: (options) =>
    withTemporaryFolder(async (folder) => {
      const receiver = await start({ dist: options.dist, env: { INBOX: join(folder, 'inbox.sqlite') } })
      const processes = () => pidsOf(receiver)
      return watch(options, { name: 'SQLite', receiver, processes, commitsIn: commitsInLog })
    }),
  async postgres(options) {
    const postgres = await startPostgres()
    try {
      const receiver = await start({ dist: options.dist, env: { INBOX: postgres.url } })
      // So that all connections are open before they are traced.
      await deliver(receiver.port, `${options.seed} first`, 200, 2 * CONNECTIONS)
      const server = postgres.pid()
      const processes = () => [server, ...childrenOf(server), ...pidsOf(receiver)]
      return await watch(options, { name: 'Postgres', receiver, processes, commitsIn: commitsInWal })
    } finally {
      await postgres.remove()
    }
  },
}

/** Delivers one by one, then several at once, then as a control with syncs that the kernel skips. */
async function watch(options: ProofOptions, store: Store): Promise<ProofResult> {
  const { seed, quick, amount } = options
  const { name, receiver, processes, commitsIn } = store
  const alone = Math.ceil((amount ?? (quick ? 240 : 1600)) / 8)
  const violations: string[] = []

  const run = (part: string, count: number, connections: number, withoutSyncs = false): Promise<Judgment> =>
    withTemporaryFolder(async (folder) => {
      let acknowledged = 0
      const calls = await traced(
        { processes: processes(), file: join(folder, 'trace'), withoutSyncs },
        async () => {
          acknowledged = await deliver(receiver.port, `${seed} ${name} ${part}`, count, connections)
          await requestNothing(receiver.port)
        },
      )
      const judgment = judge(calls, acknowledgmentsIn(calls), commitsIn(calls))
      if (acknowledged !== count || judgment.acknowledged !== count)
        violations.push(
          `${name}, ${part}: of ${count} deliveries, ${acknowledged} got a 200, and the trace contains ${judgment.acknowledged}`,
        )
      return judgment
    })

  const single = await run('one at a time', alone, 1)
  const parallel = await run(`${CONNECTIONS} at once`, 7 * alone, CONNECTIONS)
  const control = await run('control', CONNECTIONS, 1, true)
  await receiver.stop()

  violations.push(...[...single.problems, ...parallel.problems].map((problem) => `${name}: ${problem}`))
  if (control.synced > 0)
    violations.push(
      `${name}, control: the kernel skipped every sync, and ${control.synced} of ${control.acknowledged} 200s seemed to follow one: the proof cannot see a missing sync`,
    )
  return {
    figures: [
      [`${name}, one at a time`, describe(single)],
      [`${name}, ${CONNECTIONS} at once`, describe(parallel)],
      [
        `${name}, control: every sync skipped`,
        `${control.acknowledged} × 200, ${control.problems.length} without a sync before it`,
      ],
    ],
    violations,
  }
}

function describe({ acknowledged, synced, problems, syncs, mostPerSync }: Judgment): string {
  return `${formatCount(acknowledged)} × 200: ${formatCount(synced)} after a sync, ${problems.length} without; ${formatCount(syncs)} syncs, up to ${mostPerSync} × 200 after one`
}

const pidsOf = ({ pid }: Receiver): number[] => (pid === undefined ? [] : [pid])

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => parentOf(pid) === parent)
}

/** As Linux reports it; undefined if the process has ended. */
function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

await prove('fsync', async (options) => {
  const chosen = Object.entries(STORES).filter(
    ([name]) => options.only === undefined || options.only === name,
  )
  if (chosen.length === 0)
    throw new Error(`--only ${options.only} must be one of ${Object.keys(STORES).join(', ')}`)
  try {
    requireStrace()
    const results = []
    for (const [, run] of chosen) results.push(await run(options))
    return {
      figures: results.flatMap(({ figures }) => figures),
      violations: results.flatMap(({ violations }) => violations),
    }
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error
    return {
      figures: [['syncs', `NOT TESTED: this machine does not allow it (${error.message})`]],
      violations: process.env['CI'] ? [`could not be tested in CI: ${error.message}`] : [],
    }
  }
})
