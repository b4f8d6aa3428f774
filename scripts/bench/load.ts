import { fileURLToPath } from 'node:url'
import { median } from '../shared/numbers.ts'
import { load } from './drive.ts'
import { type Figure, medianRatio, roundsOf } from './figure.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

const ROUNDS = roundsOf(7)
const AUTOCANNON = fileURLToPath(new URL('autocannon-worker.ts', import.meta.url))

/** The reason why load/ exists: if a general tool that signs each delivery is as fast, it should be used instead. */
export const loadGenerator: Figure = {
  name: 'load',
  async measure() {
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
    const row = {
      figure: 'hookproof load, each delivery signed',
      baseline: 'autocannon with setupRequest, each delivery signed',
      target: '≥ 1',
      ratio: medianRatio(ours, theirs),
      details: `${Math.round(median(ours))}/s vs. ${Math.round(median(theirs))}/s`,
    }
    return [row]
  },
}

/** Signed deliveries per second. */
async function autocannon(url: string): Promise<number> {
  return Number(await runPinned(CLIENT_CORE, process.execPath, '--import', 'tsx', AUTOCANNON, url, '2'))
}
