import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { load } from './drive.ts'
import { type Figure, median, medianRatio } from './figure.ts'
import { CLIENT_CORE, runPinned, startServer } from './pinned.ts'

const ROUNDS = 7
const SCRIPT = fileURLToPath(new URL('unsigned.lua', import.meta.url))

/** `hookproof load` beside wrk, which signs nothing and sends the same bytes again and again. */
export const loadGenerator: Figure = {
  name: 'load',
  async measure() {
    const row = {
      figure: 'hookproof load, each delivery signed',
      against: 'wrk, unsigned, on bare node:http',
      wanted: '≥ 0.7 (stretch 0.9)',
    }
    if (spawnSync('wrk', ['-v']).error !== undefined) {
      return [
        { ...row, ratio: undefined, detail: 'not measured: wrk is not installed (apt-get install wrk)' },
      ]
    }
    const server = await startServer('bare node')
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
    const rates = `${Math.round(median(ours))}/s against ${Math.round(median(theirs))}/s`
    const detail = `${rates}; the server's core ${Math.round(median(busy) * 100)} % busy`
    return [{ ...row, ratio: medianRatio(ours, theirs), detail }]
  },
}

/** Requests a second. */
async function wrk(url: string): Promise<number> {
  const printed = await runPinned(CLIENT_CORE, 'wrk', '-t1', '-c50', '-d2s', '-s', SCRIPT, url)
  return Number(/Requests\/sec: +([0-9.]+)/.exec(printed)?.[1])
}
