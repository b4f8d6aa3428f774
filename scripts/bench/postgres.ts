import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { openPool, postgresInbox } from '@hookproof/receiver/postgres'
import { Client } from 'pg'
import { createGenerator, serialize } from '../../fixtures/index.ts'
import { startServer as startPostgres } from '../../test/support/postgres-server.ts'
import { median } from '../shared/numbers.ts'
import { childrenOf, processInfo } from '../shared/process-info.ts'
import { drive, load, requireAccepted, warmUp } from './drive.ts'
import { type Figure, medianRatio, type Row, roundsOf } from './figure.ts'
import { BOTH_CORES, CLIENT_CORE, type PinnedServer, startServer } from './pinned.ts'
import { compareThroughput } from './receivers.ts'

const ROWS = 200_000
const FILLED = 'hookproof_bench_filled'
const COPY = 'hookproof_bench'

/** A Postgres server for the benchmarks, with an inbox of 200,000 events. */
type FilledPostgres = Awaited<ReturnType<typeof filledPostgres>>

/** @throws Error if Postgres cannot be started on this machine */
async function filledPostgres() {
  const server = await startPostgres()
  const admin = new Client({ connectionString: server.url })
  const urlOf = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href
  try {
    await admin.connect()
    await admin.query(`CREATE DATABASE ${FILLED}`)
    await fill(urlOf(FILLED))
  } catch (error) {
    await admin.end()
    await server.remove()
    throw error
  }
  const { rows } = await admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const postmaster = processInfo(rows[0]?.pid).parent

  return {
    /** Replaces the last copy of that inbox with a new one. @returns its URL */
    async copy() {
      await admin.query(`DROP DATABASE IF EXISTS ${COPY} WITH (FORCE)`)
      await admin.query(`CREATE DATABASE ${COPY} TEMPLATE ${FILLED} STRATEGY file_copy`)
      return urlOf(COPY)
    },
    /** Pins all its processes to these cores. */
    pin(cores: string) {
      for (const pid of [postmaster, ...childrenOf(postmaster)]) {
        execFileSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { stdio: 'ignore' })
      }
    },
    /** The CPU time that all its processes have used, in seconds. */
    cpuSeconds: () =>
      childrenOf(postmaster).reduce((sum, pid) => sum + (processInfo(pid).cpuSeconds || 0), 0),
    async remove() {
      await admin.end()
      await server.remove()
    },
  }
}

async function fill(url: string): Promise<void> {
  const pool = openPool(url)
  const inbox = await postgresInbox({ pool })
  await inbox.close()
  // A new client, since the pool limits how long a statement may take.
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    `INSERT INTO hookproof.inbox (key_hash, key, payment_id, event, body, signed_at, received_at, handled_in)
     SELECT sha256(convert_to(key, 'UTF8')), key, id, 'payment.completed', $1, 1750000000, 1750000000000, 1
     FROM (SELECT id, json_build_array(id, 'payment.completed')::text AS key
           FROM (SELECT 'tx_' || gen_random_uuid() AS id FROM generate_series(1, ${ROWS})))`,
    [serialize(createGenerator('filled').event('completed'))],
  )
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  await client.end()
  await pool.end()
}

const ROUNDS = roundsOf(5)
const SECONDS = 2
const ONE_RECEIVER = 'full receiver on Postgres, including the queue'
const TWO_RECEIVERS = 'two receivers on one Postgres'

/** The receiver with its Postgres inbox of 200,000 events, without processing. */
export const onPostgres: Figure = {
  name: 'postgres',
  async measure() {
    let postgres: FilledPostgres
    try {
      postgres = await filledPostgres()
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it exited at once'
      if (process.env['CI']) throw new Error(`bench: Postgres cannot be started (${why})`, { cause: error })
      return notMeasured(`not measured: Postgres cannot be started on this machine (${why})`)
    }
    try {
      return [await oneReceiver(postgres), await twoReceivers(postgres)]
    } finally {
      await postgres.remove()
    }
  },
}

const EXPRESS = { baseline: 'bare Express 5', target: '≥ 0.9 (stretch 1.8)' }

function notMeasured(details: string): Row[] {
  return [
    { figure: ONE_RECEIVER, ...EXPRESS, ratio: undefined, details },
    { figure: TWO_RECEIVERS, baseline: 'one receiver', target: '', ratio: undefined, details },
  ]
}

async function oneReceiver(postgres: FilledPostgres): Promise<Row> {
  postgres.pin(CLIENT_CORE)
  const samples = await drive(['bare Express', 'receiver on Postgres'], {
    rounds: ROUNDS,
    seconds: SECONDS,
    argsFor: async (variant) => (variant === 'bare Express' ? [] : [await postgres.copy()]),
  })
  const pair = [samples['receiver on Postgres'], samples['bare Express']] as const
  return compareThroughput(ONE_RECEIVER, EXPRESS.baseline, pair, EXPRESS.target, 'rate')
}

/** What several receivers did together. CPU times are in microseconds per response. */
interface SharedSample {
  readonly perSecond: number
  readonly receivers: number
  readonly postgres: number
  /** The share of all cores that was in use, by any process, from 0 to 1. */
  readonly busy: number
}

async function twoReceivers(postgres: FilledPostgres): Promise<Row> {
  postgres.pin(BOTH_CORES)
  const one: SharedSample[] = []
  const two: SharedSample[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const url = await postgres.copy()
    const servers: PinnedServer[] = []
    try {
      for (const _ of ['one', 'two']) {
        const server = await startServer('receiver on Postgres', { args: [url], core: BOTH_CORES })
        servers.push(server)
        await warmUp(server.url)
      }
      one.push(await measureTogether(postgres, servers.slice(0, 1)))
      two.push(await measureTogether(postgres, servers))
    } finally {
      for (const server of servers) await server.stop()
    }
  }
  const valuesOf = (samples: readonly SharedSample[], name: keyof SharedSample) =>
    samples.map((sample) => sample[name])
  const describe = (samples: readonly SharedSample[]) => {
    const medianOf = (name: keyof SharedSample) => median(valuesOf(samples, name))
    const [rate, receivers, store] = (['perSecond', 'receivers', 'postgres'] as const).map((name) =>
      medianOf(name).toFixed(0),
    )
    const busy = Math.round(medianOf('busy') * 100)
    return `${rate}/s, ${receivers} µs CPU of a receiver and ${store} µs of Postgres each, both cores ${busy}% busy`
  }
  const ratio = medianRatio(valuesOf(two, 'perSecond'), valuesOf(one, 'perSecond'))
  const details = `${describe(two)}, vs. ${describe(one)}`
  return { figure: TWO_RECEIVERS, baseline: 'one receiver', target: '', ratio, details }
}

async function measureTogether(
  postgres: FilledPostgres,
  servers: readonly PinnedServer[],
): Promise<SharedSample> {
  const cpuSeconds = () => ({
    receivers: servers.reduce((sum, server) => sum + server.cpuSeconds(), 0),
    postgres: postgres.cpuSeconds(),
    machine: machineSeconds(),
  })
  const options = { connections: 50 / servers.length, seconds: SECONDS, core: BOTH_CORES }
  const before = cpuSeconds()
  const results = await Promise.all(servers.map(({ url }) => load(url, options)))
  const after = cpuSeconds()
  for (const result of results) requireAccepted(TWO_RECEIVERS, result)
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
  const sum = (select: (core: (typeof times)[number]) => number) =>
    times.reduce((total, core) => total + select(core), 0) / 1000
  return { used: sum(({ user, nice, sys, irq }) => user + nice + sys + irq), idle: sum(({ idle }) => idle) }
}
