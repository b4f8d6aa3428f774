import { setTimeout as wait } from 'node:timers/promises'
import { formatCount } from '../../shared/numbers.ts'
import { between, type Random } from './random.ts'
import { openConnection } from './raw-connection.ts'
import { requestOf, type Traffic } from './traffic.ts'

const NO_RESPONSE = 'no response'

/** What the senders counted. */
export interface Tally {
  deliveries: number
  /** Responses by status code, and under `no response` the requests that got none. */
  readonly responses: Map<string, number>
}

export interface SendersOptions {
  readonly traffic: Traffic
  readonly random: Random
  /** The ports of the receivers; with several, each sender alternates between them. */
  readonly ports: readonly (() => number)[]
  readonly connections: number
  /** Stops the senders. */
  readonly signal: AbortSignal
  /** The signing time of a delivery, in Unix seconds. */
  readonly now?: () => number
}

const MOST_ATTEMPTS = 6

/** Sends over several connections, as the service does: it retries what is not acknowledged, then gives up. */
export async function sendUntilAborted(options: SendersOptions): Promise<Tally> {
  const { traffic, random, ports, connections, signal, now = () => Math.floor(Date.now() / 1000) } = options
  const tally: Tally = { deliveries: 0, responses: new Map() }

  async function sender(first: number): Promise<void> {
    const open = ports.map((port) => openConnection(port))
    let turn = first
    while (!signal.aborted) {
      const event = traffic.next()
      for (let attempt = 1; attempt <= MOST_ATTEMPTS && !signal.aborted; attempt += 1) {
        const response = await open[turn++ % open.length]?.send(requestOf(event, now()))
        tally.deliveries += 1
        const key = String(response?.status ?? NO_RESPONSE)
        tally.responses.set(key, (tally.responses.get(key) ?? 0) + 1)
        if (response?.status === 200) {
          event.acknowledged = true
          break
        }
        await wait(between(random, 5, 60))
      }
      traffic.finished(event)
    }
    for (const connection of open) connection.close()
  }

  await Promise.all(Array.from({ length: connections }, (_, index) => sender(index)))
  return tally
}

/** `200 × 41,000, 503 × 12` */
export const formatResponses = ({ responses }: Tally): string =>
  [...responses].map(([key, count]) => `${key} × ${formatCount(count)}`).join(', ')

export const countOf = ({ responses }: Tally, status: number): number => responses.get(String(status)) ?? 0

/** The responses that a receiver must never give to a valid delivery, whatever the fault. */
export function unexpectedResponses({ responses }: Tally): string[] {
  return [...responses]
    .filter(([key]) => !['200', '503', NO_RESPONSE].includes(key))
    .map(([key, count]) => `the receiver answered ${count} valid deliveries with ${key}`)
}
