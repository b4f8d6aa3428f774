import { setTimeout as wait } from 'node:timers/promises'
import type { Traffic } from '../shared/traffic.ts'
import type { Attackers } from './attacker-process.ts'
import { ATTACKS, type AttackName } from './attacks.ts'
import { sendAtSteadyRate } from './deliveries.ts'
import { type Observation, shortfallsOf } from './judge.ts'
import { watchMachine } from './machine.ts'
import { type Effort, noEffort } from './target.ts'

/** What an attack is directed at. */
export interface Victim {
  readonly port: number
  readonly pid: number | undefined
  /** The resident memory in MiB; NaN if the process has ended. */
  residentMiB(): number
}

const MEMORY_SAMPLE_MS = 50
/** By how much an attack is extended, and how often, until what must be done is done. */
const EXTENSION_MS = 500
const MOST_EXTENSIONS = 20
/** Valid deliveries go on after the attack, since its end costs the receiver time too. */
const AFTERWARDS_MS = 500

/** Sends valid deliveries for some time, and attacks meanwhile. @param attack none for a measurement in peace */
export async function measure(
  victim: Victim,
  traffic: Traffic,
  ms: number,
  attack?: { readonly attackers: Attackers; readonly name: AttackName; readonly seed: string },
): Promise<Observation & { readonly effort: Effort }> {
  const before = victim.residentMiB()
  let peak = before
  const sample = (): void => {
    peak = Math.max(peak, victim.residentMiB())
  }
  const sampling = setInterval(sample, MEMORY_SAMPLE_MS)
  const endWatch = watchMachine([process.pid, victim.pid, attack?.attackers.pid])
  const sending = new AbortController()
  const sent = sendAtSteadyRate(victim.port, traffic, sending.signal)

  let effort = noEffort()
  if (attack === undefined) await wait(ms)
  else {
    const { attackers, name, seed } = attack
    attackers.start({ attack: name, port: victim.port, seed })
    await wait(ms)
    // A slow machine needs longer, for example to open thousands of connections.
    for (let more = 0; more < MOST_EXTENSIONS; more += 1) {
      if (shortfallsOf(await attackers.report(), ATTACKS[name].least).length === 0) break
      await wait(EXTENSION_MS)
    }
    effort = await attackers.stop()
  }
  await wait(AFTERWARDS_MS)

  sending.abort()
  const withheldMs = endWatch()
  const deliveries = await sent
  clearInterval(sampling)
  sample()
  return { deliveries, memory: { before, peak }, withheldMs, effort }
}
