import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from '../shared/numbers.ts'
import { load } from './drive.ts'
import { type Figure, medianRatio } from './figure.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

const ROUNDS = 7
const SCRIPT = fileURLToPath(new URL('unsigned.lua', import.meta.url))

/** `hookproof load` compared with wrk, which sends the same unsigned bytes every time. */
export const loadGenerator: Figure = {
  name: 'load',
  async measure() {
    const row = {
      figure: 'hookproof load, each delivery signed',
      baseline: 'wrk, unsigned, on bare node:http',
      target: '≥ 0.7 (stretch 0.9)',
    }
    if (spawnSync('wrk', ['-v']).error !== undefined) {
      return [
        { ...row, ratio: undefined, details: 'not measured: wrk is not installed (apt-get install wrk)' },
      ]
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
  },
}

/** Requests per second. */
async function wrk(url: string): Promise<number> {
  const output = await runPinned(CLIENT_CORE, 'wrk', '-t1', '-c50', '-d2s', '-s', SCRIPT, url)
  return Number(/Requests\/sec: +([0-9.]+)/.exec(output)?.[1])
}
