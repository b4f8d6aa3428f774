import { cpus } from 'node:os'
import { drive, load, requireAccepted, warmUp } from './drive.ts'
import { type Figure, median, medianRatio, type Row } from './figure.ts'
import { type FilledPostgres, filledPostgres } from './filled-postgres.ts'
import { BOTH_CORES, CLIENT_CORE, type PinnedServer, startServer } from './pinned.ts'
import { faster } from './receivers.ts'

const ROUNDS = 5
const SECONDS = 2
const ONE = 'full receiver on Postgres, queue included'
const TWO = 'two receivers on one Postgres'

/** The receiver with its Postgres inbox, on a table that has 200,000 rows. Processing is not running. */
export const onPostgres: Figure = {
  name: 'postgres',
  async measure() {
    let postgres: FilledPostgres
    try {
      postgres = await filledPostgres()
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it ended at once'
      if (process.env['CI']) throw new Error(`bench: Postgres can not be started (${why})`, { cause: error })
      return notMeasured(`not measured: Postgres can not be started here (${why})`)
    }
    try {
      return [await oneReceiver(postgres), await twoReceivers(postgres)]
    } finally {
      await postgres.remove()
    }
  },
}

const EXPRESS = { against: 'bare stock Express 5', wanted: '≥ 0.9 (stretch 1.8)' }

function notMeasured(detail: string): Row[] {
  return [
    { figure: ONE, ...EXPRESS, ratio: undefined, detail },
    { figure: TWO, against: 'one', wanted: '', ratio: undefined, detail },
  ]
}

async function oneReceiver(postgres: FilledPostgres): Promise<Row> {
  postgres.pin(CLIENT_CORE)
  const samples = await drive(['bare Express', 'receiver on Postgres'], {
    rounds: ROUNDS,
    seconds: SECONDS,
    wordsFor: async (variant) => (variant === 'bare Express' ? [] : [await postgres.copy()]),
  })
  const pair = [samples['receiver on Postgres'], samples['bare Express']] as const
  return faster(ONE, EXPRESS.against, pair, EXPRESS.wanted, 'rate')
}

/** What some receivers did together; the times are of the processor, in microseconds for each answer. */
interface Shared {
  readonly perSecond: number
  readonly receivers: number
  readonly postgres: number
  /** The share of all cores that was used, whoever used it. */
  readonly busy: number
}

async function twoReceivers(postgres: FilledPostgres): Promise<Row> {
  postgres.pin(BOTH_CORES)
  const one: Shared[] = []
  const two: Shared[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const url = await postgres.copy()
    const servers: PinnedServer[] = []
    try {
      for (const _ of ['one', 'two']) {
        const server = await startServer('receiver on Postgres', [url], BOTH_CORES)
        servers.push(server)
        await warmUp(server.url)
      }
      one.push(await shared(postgres, servers.slice(0, 1)))
      two.push(await shared(postgres, servers))
    } finally {
      for (const server of servers) await server.stop()
    }
  }
  const of = (samples: readonly Shared[], what: keyof Shared) => samples.map((sample) => sample[what])
  const told = (samples: readonly Shared[]) => {
    const middle = (what: keyof Shared) => median(of(samples, what))
    const [rate, receivers, store] = (['perSecond', 'receivers', 'postgres'] as const).map((what) =>
      middle(what).toFixed(0),
    )
    const busy = Math.round(middle('busy') * 100)
    return `${rate}/s, each ${receivers} µs of a receiver and ${store} µs of Postgres, both cores ${busy} % busy`
  }
  const ratio = medianRatio(of(two, 'perSecond'), of(one, 'perSecond'))
  return { figure: TWO, against: 'one', wanted: '', ratio, detail: `${told(two)}, against ${told(one)}` }
}

async function shared(postgres: FilledPostgres, servers: readonly PinnedServer[]): Promise<Shared> {
  const spent = () => ({
    receivers: servers.reduce((sum, server) => sum + server.cpuSeconds(), 0),
    postgres: postgres.cpuSeconds(),
    machine: machineSeconds(),
  })
  const drives = { connections: 50 / servers.length, seconds: SECONDS, core: BOTH_CORES }
  const before = spent()
  const results = await Promise.all(servers.map(({ url }) => load(url, drives)))
  const after = spent()
  for (const result of results) requireAccepted(TWO, result)
  const answered = results.reduce((sum, result) => sum + result.answered, 0)
  const used = after.machine.used - before.machine.used
  const idle = after.machine.idle - before.machine.idle
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    receivers: ((after.receivers - before.receivers) * 1e6) / answered,
    postgres: ((after.postgres - before.postgres) * 1e6) / answered,
    busy: used / (used + idle),
  }
}

function machineSeconds(): { used: number; idle: number } {
  const times = cpus().map(({ times }) => times)
  const sum = (of: (one: (typeof times)[number]) => number) =>
    times.reduce((all, one) => all + of(one), 0) / 1000
  return { used: sum(({ user, nice, sys, irq }) => user + nice + sys + irq), idle: sum(({ idle }) => idle) }
}
