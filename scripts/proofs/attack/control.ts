import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../../shared/program.ts'
import type { ProofResult } from '../shared/prove.ts'
import { randomFrom } from '../shared/random.ts'
import { createTraffic } from '../shared/traffic.ts'
import { startAttackers } from './attacker-process.ts'
import type { AttackName } from './attacks.ts'
import { formatObservation, violationsOf } from './judge.ts'
import { measure } from './measure.ts'

/** The attacks that the control must not withstand, with what must be found. */
const MUST_FAIL: readonly (readonly [name: AttackName, violation: RegExp])[] = [
  ['one-byte chunks', /memory reached/],
  ['held bodies', /not answered 200/],
]
const CONTROL_MS = 2000

/** Attacks a naive receiver, to show that the measurement finds what it looks for. */
export async function controlsThatFail(seed: string): Promise<ProofResult> {
  const figures: ProofResult['figures'][number][] = []
  const violations: string[] = []
  const attackers = await startAttackers()
  for (const [name, expected] of MUST_FAIL) {
    const script = fileURLToPath(new URL('naive-receiver.mjs', import.meta.url))
    const program = startProgram(process.execPath, [script], {
      addressIn: (line) => /"url":"([^"]+)"/.exec(line)?.[1],
    })
    const url = await program.listening
    if (url === undefined) throw new Error(`the control did not start: ${program.stderr()}`)
    const victim = { port: Number(new URL(url).port), residentMiB: () => residentMiB(program.child.pid) }
    const observed = await measure(victim, createTraffic(randomFrom(seed), seed), CONTROL_MS, {
      attackers,
      name,
      seed,
    })
    await program.end('SIGKILL')
    figures.push([`control: ${name}`, formatObservation(observed)])
    if (!violationsOf(observed, {}).some((violation) => expected.test(violation)))
      violations.push(
        `control: ${name} did no harm to a naive receiver: the proof does not measure what it should`,
      )
  }
  await attackers.end()
  return { figures, violations }
}

function residentMiB(pid: number | undefined): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
