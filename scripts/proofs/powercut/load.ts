import { between, randomFrom } from '../shared/random.ts'
import { sendUntilAborted, type Tally } from '../shared/senders.ts'
import type { SentEvent, Traffic } from '../shared/traffic.ts'

/** Few connections make single commits, many make commits of several deliveries. */
const CONNECTIONS = [3, 16] as const
/** How often a sender sends what another one has just sent: often, the copies reach two receivers at the same time. */
const SHARE_OF_COPIES = 0.3

/** Senders that can be stopped and started again. */
export interface Load {
  /** What was counted while they were stopped last. */
  readonly tally: Tally
  start(): void
  /** Resolves when every delivery that was sent is answered or has failed. */
  stop(): Promise<void>
  /** Calls a function as soon as so many more 200s have arrived. */
  afterAcknowledged(count: number, action: () => void): void
}

/** @param ports the port of each receiver; a sender alternates between them */
export function createLoad(traffic: Traffic, seed: string, ports: readonly (() => number)[]): Load {
  const random = randomFrom(`${seed} senders`)
  const total: Tally = { deliveries: 0, responses: new Map() }
  let running: { readonly stopping: AbortController; readonly tallied: Promise<Tally> } | undefined
  let countdown = 0
  let afterCountdown = (): void => {}

  let latest: SentEvent | undefined

  const watched: Traffic = {
    ...traffic,
    next() {
      if (latest === undefined || random() >= SHARE_OF_COPIES) latest = traffic.next()
      return latest
    },
    finished(event) {
      traffic.finished(event)
      if (!event.acknowledged || countdown === 0) return
      countdown -= 1
      if (countdown === 0) afterCountdown()
    },
  }

  return {
    tally: total,
    start() {
      const stopping = new AbortController()
      const { signal } = stopping
      const connections = between(random, ...CONNECTIONS)
      running = {
        stopping,
        tallied: sendUntilAborted({ traffic: watched, random, ports, connections, signal }),
      }
    },
    async stop() {
      if (running === undefined) return
      running.stopping.abort()
      const { deliveries, responses } = await running.tallied
      running = undefined
      total.deliveries += deliveries
      for (const [key, count] of responses) total.responses.set(key, (total.responses.get(key) ?? 0) + count)
    },
    afterAcknowledged(count, action) {
      countdown = count
      afterCountdown = action
    },
  }
}
