import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../../shared/program.ts'
import { openConnection, type RawConnection } from '../shared/raw-connection.ts'
import { requestOf, type Traffic } from '../shared/traffic.ts'
import { ATTACKS, type AttackName } from './attacks.ts'
import { type Delivery, type Observation, shortfallsOf } from './judge.ts'
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

const INTERVAL_MS = 100

/** Sends ten new events a second until aborted, every second one over a new connection. @returns one entry per event */
async function sendAtSteadyRate(port: number, traffic: Traffic, signal: AbortSignal): Promise<Delivery[]> {
  const idle: RawConnection[] = []
  const sending: Promise<Delivery>[] = []
  const started = performance.now()
  while (!signal.aborted) {
    sending.push(deliver(port, traffic, sending.length % 2 === 0 ? undefined : idle))
    const due = started + sending.length * INTERVAL_MS
    await wait(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => {})
  }
  const deliveries = await Promise.all(sending)
  for (const connection of idle) connection.close()
  return deliveries
}

/** Sends a new event once. @param idle kept-alive connections to choose from; without it a new one is used and closed */
export async function deliver(port: number, traffic: Traffic, idle?: RawConnection[]): Promise<Delivery> {
  const event = traffic.nextNew()
  const request = requestOf(event)
  const started = performance.now()
  const connection = idle?.pop() ?? openConnection(() => port)
  const response = await connection.send(request)
  const ms = performance.now() - started
  event.acknowledged = response.status === 200
  traffic.finished(event)
  if (idle === undefined) connection.close()
  else idle.push(connection)
  return { ms, answer: response.status ?? response.error }
}

/** The attack that the proof asks for. */
export interface Attacking {
  readonly attack: AttackName
  readonly port: number
  readonly seed: string
}

/** What the proof asks of the process of the attackers. It replies to all but the first with what was done. */
export type Order = Attacking | 'report' | 'stop'

/** The attackers, in a process of their own: their work must not delay the valid deliveries. */
export type Attackers = Awaited<ReturnType<typeof startAttackers>>

/** How long the attackers may take to reply, in milliseconds: they get only the CPU time that nobody else wants. */
const REPLY_MS = 120_000

/** @throws Error if the process does not start */
export async function startAttackers() {
  const script = fileURLToPath(new URL('attacker.ts', import.meta.url))
  const args = ['--import', 'tsx', script]
  const { child, listening, exited, stderr, end } = startProgram(process.execPath, args, {
    addressIn: (line) => line,
    ipc: true,
  })
  if ((await listening) === undefined) throw new Error(`the attackers did not start: ${stderr()}`)
  async function replyTo(order: 'report' | 'stop'): Promise<Effort> {
    const reply = once(child, 'message', { signal: AbortSignal.timeout(REPLY_MS) }).catch((cause) => {
      throw new Error(`the attackers did not reply to "${order}" within ${REPLY_MS / 1000} s: ${stderr()}`, {
        cause,
      })
    })
    const death = exited.then((code) => {
      throw new Error(`the attackers exited with code ${code} before they replied to "${order}": ${stderr()}`)
    })
    // Without a callback a process that has exited would make `child` emit an error.
    child.send(order, () => undefined)
    const [effort] = await Promise.race([reply, death])
    return effort as Effort
  }
  return {
    pid: child.pid,
    start: (attacking: Attacking) => void child.send(attacking, () => undefined),
    /** What was done so far. */
    report: () => replyTo('report'),
    /** Ends the attack. @returns what was done */
    stop: () => replyTo('stop'),
    end: () => end('SIGKILL'),
  }
}
