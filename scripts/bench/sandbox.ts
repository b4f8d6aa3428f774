import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededOrganizations } from '../../sandbox/service/seed.ts'
import { type Figure, median, medianRatio, type Row } from './figure.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

const ROUNDS = 5
const WORK = fileURLToPath(new URL('sandbox-work.ts', import.meta.url))
const CREATE = fileURLToPath(new URL('create.lua', import.meta.url))
const BODY = JSON.stringify({ amount: '25.00', currency: 'USD' })

/** The sandbox: its deliveries, its API, and its memory. Each on a SQLite file, with every commit on the disk. */
export const sandbox: Figure = {
  name: 'sandbox',
  async measure() {
    return [await deliveries(), ...(await api()), await memory()]
  },
}

async function deliveries(): Promise<Row> {
  const receiver = await startServer('bare node')
  const ours: number[] = []
  const floors: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      floors.push(Number(await work('sender', receiver.url)))
      ours.push(Number(await work('queue', receiver.url)))
    }
  } finally {
    await receiver.stop()
  }
  return {
    figure: 'deliveries of the sandbox, from its queue',
    against: 'its sender alone, nothing kept',
    ratio: medianRatio(ours, floors),
    wanted: '',
    detail: `${Math.round(median(ours))}/s against ${Math.round(median(floors))}/s, 16 at once`,
  }
}

/** Requests a second of the two calls that a shop makes most. */
async function api(): Promise<Row[]> {
  if (spawnSync('wrk', ['-v']).error !== undefined) {
    const detail = 'not measured: wrk is not installed (apt-get install wrk)'
    return [
      { figure: 'API of the sandbox', against: 'bare stock Express 5', ratio: undefined, wanted: '', detail },
    ]
  }
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-bench-'))
  const rates = { look: [[], []], create: [[], []] } as Record<'look' | 'create', [number[], number[]]>
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, name] of ['sandbox', 'bare Express, JSON'].entries()) {
        const server = await startServer(name, [join(folder, `${round}.sqlite`)])
        try {
          const origin = new URL(server.url).origin
          const { id } = (await (await fetch(`${origin}/v1/payments`, post())).json()) as { id: string }
          rates.look[index]?.push(await drive(`${origin}/v1/payments/${id}`))
          rates.create[index]?.push(await drive(`${origin}/v1/payments`, '-s', CREATE))
        } finally {
          await server.stop()
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const row = (figure: string, [ours, floors]: [number[], number[]]): Row => ({
    figure,
    against: 'bare stock Express 5, same answer',
    ratio: medianRatio(ours, floors),
    wanted: '',
    detail: `by rate; ${Math.round(median(ours))}/s against ${Math.round(median(floors))}/s, 20 connections`,
  })
  return [
    row('API of the sandbox, a payment looked up', rates.look),
    row('API of the sandbox, a payment created', rates.create),
  ]
}

async function memory(): Promise<Row> {
  const receiver = await startServer('bare node')
  try {
    const told = JSON.parse(await work('memory', receiver.url)) as Record<
      'few' | 'many',
      { rss: number; heap: number }
    >
    const { few, many } = told
    const text = ({ rss, heap }: typeof few) => `${rss.toFixed(0)} MiB (heap ${heap.toFixed(1)} MiB)`
    return {
      figure: 'memory of the sandbox after 100,000 events, each delivered',
      against: 'after 1,000',
      ratio: many.rss / few.rss,
      wanted: '',
      detail: `resident; ${text(many)} against ${text(few)}`,
    }
  } finally {
    await receiver.stop()
  }
}

const work = (what: string, url: string): Promise<string> =>
  runPinned(CLIENT_CORE, process.execPath, '--expose-gc', '--import', 'tsx', WORK, what, url)

const headers = (): Record<string, string> => {
  const [organization] = seededOrganizations('bench')
  return { 'X-API-Key': organization?.testKey ?? '', 'Content-Type': 'application/json' }
}

const post = (): RequestInit => ({ method: 'POST', headers: headers(), body: BODY })

/** Requests a second, by wrk. @throws when one of them was refused or got no answer */
async function drive(url: string, ...words: string[]): Promise<number> {
  const key = `X-API-Key: ${headers()['X-API-Key']}`
  const printed = await runPinned(CLIENT_CORE, 'wrk', '-t1', '-c20', '-d2s', '-H', key, ...words, url)
  if (/Non-2xx|Socket errors/.test(printed)) throw new Error(`bench: ${url}: ${printed}`)
  return Number(/Requests\/sec: +([0-9.]+)/.exec(printed)?.[1])
}
