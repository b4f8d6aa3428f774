import { fileURLToPath } from 'node:url'
import { processInfo } from '../../shared/process-info.ts'
import { startProgram } from '../../shared/program.ts'
import type { ProofResult } from '../shared/prove.ts'
import { randomFrom } from '../shared/random.ts'
import { createTraffic } from '../shared/traffic.ts'
import type { AttackName } from './attacks.ts'
import { formatObservation, type Observation, violationsOf } from './judge.ts'
import { type Attackers, measure, startAttackers } from './measure.ts'

/** The attacks that the control must not withstand, with what must be found. */
const MUST_FAIL: readonly (readonly [name: AttackName, violation: RegExp])[] = [
  ['one-byte chunks', /memory reached/],
  ['held bodies', /not answered 200/],
]
/** A slow machine needs longer to do the harm. */
const DURATIONS_MS = [2000, 4000, 8000]

/** Attacks a naive receiver, to show that the measurement finds what it looks for. */
export async function controlsThatFail(seed: string): Promise<ProofResult> {
  const figures: ProofResult['figures'][number][] = []
  const violations: string[] = []
  const attackers = await startAttackers()
  for (const [name, expected] of MUST_FAIL) {
    let harm: string | undefined
    for (const ms of DURATIONS_MS) {
      const observed = await attackNaiveReceiver(attackers, name, ms, seed)
      harm = violationsOf(observed, {}).find((violation) => expected.test(violation))
      if (harm === undefined) continue
      figures.push([`control: ${name}`, formatObservation(observed)])
      break
    }
    if (harm === undefined)
      violations.push(
        `control: ${name} did no harm to a naive receiver: the proof does not measure what it should`,
      )
  }
  await attackers.end()
  return { figures, violations }
}

async function attackNaiveReceiver(
  attackers: Attackers,
  name: AttackName,
  ms: number,
  seed: string,
): Promise<Observation> {
  const script = fileURLToPath(new URL('naive-receiver.mjs', import.meta.url))
  const program = startProgram(process.execPath, [script], {
    addressIn: (line) => /"url":"([^"]+)"/.exec(line)?.[1],
  })
  const url = await program.listening
  if (url === undefined) throw new Error(`the control did not start: ${program.stderr()}`)
  const { pid } = program.child
  const victim = { port: Number(new URL(url).port), pid, residentMiB: () => processInfo(pid).residentMiB }
  const traffic = createTraffic(randomFrom(seed), seed)
  const observed = await measure(victim, traffic, ms, { attackers, name, seed })
  await program.end('SIGKILL')
  return observed
}
