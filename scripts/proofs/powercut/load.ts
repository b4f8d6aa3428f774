import { randomFrom } from '../shared/random.ts'
import { sendUntilAborted, type Tally } from '../shared/senders.ts'
import type { Traffic } from '../shared/traffic.ts'

const CONNECTIONS = 16

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
  let running: { readonly sending: AbortController; readonly tallied: Promise<Tally> } | undefined
  let countdown = 0
  let afterCountdown = (): void => {}

  const watched: Traffic = {
    ...traffic,
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
      const sending = new AbortController()
      const { signal } = sending
      const tallied = sendUntilAborted({ traffic: watched, random, ports, connections: CONNECTIONS, signal })
      running = { sending, tallied }
    },
    async stop() {
      if (running === undefined) return
      running.sending.abort()
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
