import { setTimeout as wait } from 'node:timers/promises'
import type { Asked, Result } from '../shared/program.ts'
import { randomFrom } from '../shared/random.ts'
import { sendUntil, type Tally } from '../shared/senders.ts'
import { createTraffic, requestOf, type Sent, type Traffic } from '../shared/traffic.ts'
import { type Answer, openWire } from '../shared/wire.ts'

/** Something that goes wrong around a receiver. */
export type Fault = (asked: Asked) => Promise<Result>

/** The machine does not allow what the fault needs; the message says what that is. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible'
}

export const trafficOf = ({ seed }: Asked, name: string): Traffic =>
  createTraffic(randomFrom(`${seed} ${name}`), `${seed} ${name}`)

/** Sends for a while, over a few connections. @param now what deliveries are signed at, in Unix seconds */
export async function burst(port: number, traffic: Traffic, ms: number, now?: () => number): Promise<Tally> {
  const until = new AbortController()
  const sending = sendUntil({
    traffic,
    random: randomFrom(String(port)),
    ports: [() => port],
    connections: 8,
    until: until.signal,
    ...(now === undefined ? {} : { now }),
  })
  await wait(ms)
  until.abort()
  return sending
}

export const countOf = ({ answers }: Tally, status: number): number => answers.get(String(status)) ?? 0

/** One delivery, over a connection of its own. @param t Unix seconds */
export async function sendOne(port: number, event: Sent, t?: number): Promise<Answer> {
  const wire = openWire(() => port)
  const answer = await wire.send(requestOf(event, t))
  wire.close()
  if (answer.status === 200) event.acknowledged = true
  return answer
}

/** Sends until a delivery is acknowledged. @returns how long that took in milliseconds, undefined if it never was */
export async function recovery(
  port: number,
  traffic: Traffic,
  withinMs = 20_000,
): Promise<number | undefined> {
  const begun = Date.now()
  while (Date.now() - begun < withinMs) {
    if ((await sendOne(port, traffic.next())).status === 200) return Date.now() - begun
    await wait(100)
  }
  return undefined
}

/** What is wrong with a refusal that must be a 503 which tells when to come again. */
export function amissWith503(answer: Answer): string[] {
  if (answer.status !== 503) return [`a delivery was answered ${answer.status ?? answer.lost} and not 503`]
  return /\r\nretry-after: *\d/i.test(answer.head) ? [] : ['a 503 does not say Retry-After']
}

/** What is wrong with a start that must be refused in one clear line. */
export function amissWithRefusal(code: number | null, stderr: string, naming: string): string[] {
  const said = stderr.trim()
  return [
    ...(code === 2 ? [] : [`the exit code is ${code} and not 2`]),
    ...(said !== '' && !said.includes('\n')
      ? []
      : [`not one line on standard error: ${JSON.stringify(said)}`]),
    ...(said.includes(naming) ? [] : [`the line does not name ${naming}: ${said}`]),
  ]
}
