import { fileURLToPath } from 'node:url'
import { type Figure, median, medianRatio, type Row } from './figure.ts'
import { runPinned, SERVER_CORE } from './pinned.ts'

const ROUNDS = 5
const SUBJECTS = ['floor', 'floor and JSON.parse', 'check', 'verify', 'stripe', 'standardwebhooks'] as const
const ONE = fileURLToPath(new URL('verify-worker.ts', import.meta.url))

/** The verifier beside its floor and its peers, in processor time. */
export const verification: Figure = {
  name: 'verify',
  async measure() {
    return [...(await rowsOf(600, ['≤ 1.25', '≤ 1.15'])), ...(await rowsOf(16_384, ['≤ 1.05', '≤ 1.02']))]
  },
}

async function rowsOf(size: number, [reach, stretch]: readonly [string, string]): Promise<Row[]> {
  const times = Object.fromEntries(SUBJECTS.map((name): [string, number[]] => [name, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of SUBJECTS) {
      const printed = await runPinned(
        SERVER_CORE,
        process.execPath,
        '--import',
        'tsx',
        ONE,
        name,
        String(size),
      )
      times[name]?.push(Number(printed))
    }
  }
  const of = (name: (typeof SUBJECTS)[number]) => times[name] ?? []
  const row = (
    figure: string,
    name: (typeof SUBJECTS)[number],
    against: (typeof SUBJECTS)[number],
    wanted: string,
  ) => ({
    figure: `${figure}, valid, ${size} B`,
    against,
    ratio: medianRatio(of(name), of(against)),
    wanted,
    detail: `${median(of(name)).toFixed(2)} µs against ${median(of(against)).toFixed(2)} µs`,
  })
  return [
    row('signature alone', 'check', 'floor', `${reach} (stretch ${stretch})`),
    row('signature, then the event read', 'verify', 'floor and JSON.parse', ''),
    row('signature, then the event read', 'verify', 'stripe', '≤ 1'),
    row('signature, then the event read', 'verify', 'standardwebhooks', '≤ 1'),
  ]
}
