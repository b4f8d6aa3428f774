import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededOrganizations } from '../../sandbox/service/keys.ts'
import { median } from '../shared/numbers.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { type Figure, medianRatio, type Row, roundsOf } from './figure.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

const ROUNDS = roundsOf(5)
const WORKER = fileURLToPath(new URL('sandbox-worker.ts', import.meta.url))
const CREATE = fileURLToPath(new URL('wrk/create.lua', import.meta.url))
const BODY = JSON.stringify({ amount: '25.00', currency: 'USD' })

/** The sandbox's deliveries, API and memory, on a SQLite file with every commit synced to disk. */
export const sandbox: Figure = {
  name: 'sandbox',
  async measure() {
    return [await deliveries(), ...(await api()), await memory()]
  },
}

async function deliveries(): Promise<Row> {
  const receiver = await startServer('bare node:http')
  const ours: number[] = []
  const baselines: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      baselines.push(Number(await runWorker('sender', receiver.url)))
      ours.push(Number(await runWorker('queue', receiver.url)))
    }
  } finally {
    await receiver.stop()
  }
  return {
    figure: 'sandbox: deliveries from its queue',
    baseline: 'its sender alone, without a database',
    ratio: medianRatio(ours, baselines),
    target: '',
    details: `${Math.round(median(ours))}/s vs. ${Math.round(median(baselines))}/s, 16 concurrent`,
  }
}

/** Requests per second of the two requests that a shop makes most. */
async function api(): Promise<Row[]> {
  if (spawnSync('wrk', ['-v']).error !== undefined) {
    const details = 'not measured: wrk is not installed (apt-get install wrk)'
    return [{ figure: 'sandbox API', baseline: 'bare Express 5', ratio: undefined, target: '', details }]
  }
  const rates = { read: [[], []], create: [[], []] } as Record<'read' | 'create', [number[], number[]]>
  await withTemporaryFolder(async (folder) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, name] of ['sandbox', 'bare Express, JSON'].entries()) {
        const server = await startServer(name, { args: [join(folder, `${round}.sqlite`)] })
        try {
          const origin = new URL(server.url).origin
          const { id } = (await (await fetch(`${origin}/v1/payments`, post())).json()) as { id: string }
          rates.read[index]?.push(await requestsPerSecond(`${origin}/v1/payments/${id}`))
          rates.create[index]?.push(await requestsPerSecond(`${origin}/v1/payments`, '-s', CREATE))
        } finally {
          await server.stop()
        }
      }
    }
  })
  const row = (figure: string, [ours, baselines]: [number[], number[]]): Row => ({
    figure,
    baseline: 'bare Express 5, same response',
    ratio: medianRatio(ours, baselines),
    target: '',
    details: `by rate; ${Math.round(median(ours))}/s vs. ${Math.round(median(baselines))}/s, 20 connections`,
  })
  return [row('sandbox API: read a payment', rates.read), row('sandbox API: create a payment', rates.create)]
}

async function memory(): Promise<Row> {
  const receiver = await startServer('bare node:http')
  try {
    const { few, many } = JSON.parse(await runWorker('memory', receiver.url)) as Record<
      'few' | 'many',
      { rss: number; heap: number }
    >
    const text = ({ rss, heap }: typeof few) => `${rss.toFixed(0)} MiB (heap ${heap.toFixed(1)} MiB)`
    return {
      figure: 'sandbox: memory after 100,000 delivered events',
      baseline: 'after 1,000',
      ratio: many.rss / few.rss,
      target: '',
      details: `resident; ${text(many)} vs. ${text(few)}`,
    }
  } finally {
    await receiver.stop()
  }
}

const runWorker = (figure: string, url: string): Promise<string> =>
  runPinned(CLIENT_CORE, process.execPath, '--expose-gc', '--import', 'tsx', WORKER, figure, url)

const headers = (): Record<string, string> => {
  const [organization] = seededOrganizations('bench')
  return { 'X-API-Key': organization?.testKey ?? '', 'Content-Type': 'application/json' }
}

const post = (): RequestInit => ({ method: 'POST', headers: headers(), body: BODY })

/** Requests per second, by wrk. @throws Error if a request was refused or got no response */
async function requestsPerSecond(url: string, ...args: string[]): Promise<number> {
  const key = `X-API-Key: ${headers()['X-API-Key']}`
  const output = await runPinned(CLIENT_CORE, 'wrk', '-t1', '-c20', '-d2s', '-H', key, ...args, url)
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`bench: ${url}: ${output}`)
  return Number(/Requests\/sec: +([0-9.]+)/.exec(output)?.[1])
}
