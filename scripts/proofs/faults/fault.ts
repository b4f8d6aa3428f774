import { setTimeout as wait } from 'node:timers/promises'
import type { ProofOptions, ProofResult } from '../shared/prove.ts'
import { randomFrom } from '../shared/random.ts'
import { openConnection, type RawResponse } from '../shared/raw-connection.ts'
import { sendUntilAborted, type Tally } from '../shared/senders.ts'
import { createTraffic, requestOf, type SentEvent, type Traffic } from '../shared/traffic.ts'

/** Something that goes wrong around a receiver. */
export type Fault = (options: ProofOptions) => Promise<ProofResult>

export const trafficOf = ({ seed }: ProofOptions, name: string): Traffic =>
  createTraffic(randomFrom(`${seed} ${name}`), `${seed} ${name}`)

/** Sends over a few connections for `ms` milliseconds. @param now the signing time of deliveries, in Unix seconds */
export async function burst(port: number, traffic: Traffic, ms: number, now?: () => number): Promise<Tally> {
  const sending = new AbortController()
  const tally = sendUntilAborted({
    traffic,
    random: randomFrom(String(port)),
    ports: [() => port],
    connections: 8,
    signal: sending.signal,
    ...(now === undefined ? {} : { now }),
  })
  await wait(ms)
  sending.abort()
  return tally
}

/** Sends one delivery over a new connection. @param t the signing time in Unix seconds */
export async function sendOne(port: number, event: SentEvent, t?: number): Promise<RawResponse> {
  const connection = openConnection(() => port)
  const response = await connection.send(requestOf(event, t))
  connection.close()
  if (response.status === 200) event.acknowledged = true
  return response
}

/** Sends until a delivery is acknowledged. @returns after how many milliseconds, or undefined if it never was */
export async function recoveryTime(
  port: number,
  traffic: Traffic,
  withinMs = 20_000,
): Promise<number | undefined> {
  const started = Date.now()
  while (Date.now() - started < withinMs) {
    if ((await sendOne(port, traffic.nextNew())).status === 200) return Date.now() - started
    await wait(100)
  }
  return undefined
}

/** `acknowledged again 17 ms after it` */
export const formatRecovery = (ms: number | undefined): string =>
  `acknowledged again ${ms ?? 'more than 20,000'} ms after it`

/** What is wrong with a response that must be 503 with Retry-After. */
export function problemsWith503(response: RawResponse): string[] {
  if (response.status !== 503)
    return [`a delivery was answered ${response.status ?? response.error}, not 503`]
  return /\r\nretry-after: *\d/i.test(response.head) ? [] : ['a 503 lacks Retry-After']
}

/** What is wrong with a receiver that must refuse to start, in one clear line that names the cause. */
export function problemsWithRefusedStart(code: number | null, stderr: string, cause: string): string[] {
  const output = stderr.trim()
  return [
    ...(code === 2 ? [] : [`the exit code is ${code}, not 2`]),
    ...(output !== '' && !output.includes('\n')
      ? []
      : [`standard error is not one line: ${JSON.stringify(output)}`]),
    ...(output.includes(cause) ? [] : [`standard error does not name ${cause}: ${output}`]),
  ]
}
