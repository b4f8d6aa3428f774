import { fileURLToPath } from 'node:url'
import { median } from '../shared/numbers.ts'
import { type Figure, medianRatio, type Row, roundsOf } from './figure.ts'
import { runPinned, SERVER_CORE } from './pinned.ts'

const ROUNDS = roundsOf(5)
const VERIFIERS = ['hmac', 'hmac and JSON.parse', 'check', 'verify', 'stripe', 'standardwebhooks'] as const
const BASELINES: Readonly<Record<string, string>> = {
  hmac: 'HMAC only',
  'hmac and JSON.parse': 'HMAC and JSON.parse',
}
const WORKER = fileURLToPath(new URL('verify-worker.ts', import.meta.url))

/** The CPU time of the verifier, compared with its lower bound and its peers. */
export const verification: Figure = {
  name: 'verify',
  async measure() {
    return [...(await rowsOf(600, ['≤ 1.25', '≤ 1.15'])), ...(await rowsOf(16_384, ['≤ 1.05', '≤ 1.02']))]
  },
}

async function rowsOf(size: number, [target, stretch]: readonly [string, string]): Promise<Row[]> {
  const times = Object.fromEntries(VERIFIERS.map((name): [string, number[]] => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of VERIFIERS) {
      const output = await runPinned(
        SERVER_CORE,
        process.execPath,
        '--import',
        'tsx',
        WORKER,
        name,
        String(size),
      )
      times[name]?.push(Number(output))
    }
  }
  const timesOf = (name: (typeof VERIFIERS)[number]) => times[name] ?? []
  const row = (
    figure: string,
    name: (typeof VERIFIERS)[number],
    baseline: (typeof VERIFIERS)[number],
    target: string,
  ) => ({
    figure: `${figure}, valid, ${size} B`,
    baseline: BASELINES[baseline] ?? baseline,
    ratio: medianRatio(timesOf(name), timesOf(baseline)),
    target,
    details: `${median(timesOf(name)).toFixed(2)} µs vs. ${median(timesOf(baseline)).toFixed(2)} µs`,
  })
  return [
    row('signature only', 'check', 'hmac', `${target} (stretch ${stretch})`),
    row('signature and event', 'verify', 'hmac and JSON.parse', ''),
    row('signature and event', 'verify', 'stripe', '≤ 1'),
    row('signature and event', 'verify', 'standardwebhooks', '≤ 1'),
  ]
}
