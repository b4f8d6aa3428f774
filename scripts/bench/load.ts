import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../shared/numbers.ts'
import { load } from './drive.ts'
import { type Figure, medianRatio, type Row, roundsOf } from './figure.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

const ROUNDS = roundsOf(7)
const SCRIPT = fileURLToPath(new URL('wrk/unsigned.lua', import.meta.url))
const AUTOCANNON = fileURLToPath(new URL('autocannon-worker.ts', import.meta.url))

/** `hookproof load` compared with a lower bound that signs nothing, and with a general tool that signs each delivery. */
export const loadGenerator: Figure = {
  name: 'load',
  measure: async () => [...(await againstWrk()), await againstAutocannon()],
}

/** wrk sends the same unsigned bytes every time. */
async function againstWrk(): Promise<Row[]> {
  const row = {
    figure: 'hookproof load, each delivery signed',
    baseline: 'wrk, unsigned, on bare node:http',
    target: '≥ 0.7 (stretch 0.9)',
  }
  if (spawnSync('wrk', ['-v']).error !== undefined) {
    return [{ ...row, ratio: undefined, details: 'not measured: wrk is not installed (apt-get install wrk)' }]
  }
  const server = await startServer('bare node:http')
  const ours: number[] = []
  const theirs: number[] = []
  const busy: number[] = []
  try {
    await load(server.url, { connections: 50, seconds: 1 })
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await wrk(server.url))
      const before = server.cpuSeconds()
      const { perSecond, seconds } = await load(server.url, { connections: 50, seconds: 2 })
      ours.push(perSecond)
      busy.push((server.cpuSeconds() - before) / seconds)
    }
  } finally {
    await server.stop()
  }
  const rates = `${Math.round(median(ours))}/s vs. ${Math.round(median(theirs))}/s`
  const details = `${rates}; the server's core ${Math.round(median(busy) * 100)}% busy`
  return [{ ...row, ratio: medianRatio(ours, theirs), details }]
}

/** The reason why load/ exists: if a general tool is as fast, it should be used instead. */
async function againstAutocannon(): Promise<Row> {
  const server = await startServer('bare node:http')
  const ours: number[] = []
  const theirs: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push(await autocannon(server.url))
      ours.push((await load(server.url, { connections: 50, seconds: 2 })).perSecond)
    }
  } finally {
    await server.stop()
  }
  return {
    figure: 'hookproof load, each delivery signed',
    baseline: 'autocannon with setupRequest, each delivery signed',
    target: '≥ 1',
    ratio: medianRatio(ours, theirs),
    details: `${Math.round(median(ours))}/s vs. ${Math.round(median(theirs))}/s`,
  }
}

/** Signed deliveries per second. */
async function autocannon(url: string): Promise<number> {
  return Number(await runPinned(CLIENT_CORE, process.execPath, '--import', 'tsx', AUTOCANNON, url, '2'))
}

/** Requests per second. */
async function wrk(url: string): Promise<number> {
  const output = await runPinned(CLIENT_CORE, 'wrk', '-t1', '-c50', '-d2s', '-s', SCRIPT, url)
  return Number(/Requests\/sec: +([0-9.]+)/.exec(output)?.[1])
}
