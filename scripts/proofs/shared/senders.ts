import { setTimeout as wait } from 'node:timers/promises'
import { between, type Random } from './random.ts'
import { requestOf, type Traffic } from './traffic.ts'
import { openWire } from './wire.ts'

/** What the senders saw. */
export interface Tally {
  deliveries: number
  /** Answers by status, and lost ones under `lost`. */
  readonly answers: Map<string, number>
}

export interface SendersOptions {
  readonly traffic: Traffic
  readonly random: Random
  /** The ports of the receivers; with several, each sender goes round them. */
  readonly ports: readonly (() => number)[]
  readonly connections: number
  /** Ends the sending. */
  readonly until: AbortSignal
  /** What a delivery is signed at, in Unix seconds. */
  readonly now?: () => number
}

const MOST_ATTEMPTS = 6

/** Sends as the service does, over several connections: what is not acknowledged is sent again, or given up at last. */
export async function sendUntil(options: SendersOptions): Promise<Tally> {
  const { traffic, random, ports, connections, until, now = () => Math.floor(Date.now() / 1000) } = options
  const tally: Tally = { deliveries: 0, answers: new Map() }

  async function sender(first: number): Promise<void> {
    const wires = ports.map((port) => openWire(port))
    let turn = first
    while (!until.aborted) {
      const event = traffic.next()
      for (let attempt = 1; attempt <= MOST_ATTEMPTS && !until.aborted; attempt += 1) {
        const wire = wires[turn++ % wires.length]
        const answer = await wire?.send(requestOf(event, now()))
        tally.deliveries += 1
        const key = String(answer?.status ?? 'lost')
        tally.answers.set(key, (tally.answers.get(key) ?? 0) + 1)
        if (answer?.status === 200) {
          event.acknowledged = true
          break
        }
        await wait(between(random, 5, 60))
      }
      traffic.settled(event)
    }
    for (const wire of wires) wire.close()
  }

  await Promise.all(Array.from({ length: connections }, (_, index) => sender(index)))
  return tally
}

/** `200 × 41,000, 503 × 12` */
export const told = ({ answers }: Tally): string =>
  [...answers].map(([key, count]) => `${key} × ${count.toLocaleString('en-GB')}`).join(', ')

/** Each answer that a receiver must not give, whatever befalls it. */
export function unexpected({ answers }: Tally): string[] {
  return [...answers]
    .filter(([key]) => !['200', '503', 'lost'].includes(key))
    .map(([key, count]) => `a genuine delivery was answered ${key} (${count} times)`)
}
