import { setTimeout as wait } from 'node:timers/promises'
import { between, choose, type Random, randomFrom } from '../shared/random.ts'
import type { Receiver } from '../shared/receiver.ts'
import { sendUntilAborted, type Tally } from '../shared/senders.ts'
import type { SentEvent, Traffic } from '../shared/traffic.ts'
import type { Machine, Trigger } from './machine.ts'

/** Few connections make single commits, many make commits of several deliveries. */
const CONNECTIONS = [3, 16] as const
/** How often a sender sends what another one has just sent: often, the copies reach two receivers at the same time. */
const SHARE_OF_COPIES = 0.3

/** Senders that can be stopped and started again. */
type Load = ReturnType<typeof createLoad>

/** @param ports the port of each receiver; a sender alternates between them */
export function createLoad(traffic: Traffic, seed: string, ports: readonly (() => number)[]) {
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
    /** What was counted while they were stopped last. */
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
    /** Resolves when every delivery that was sent is answered or has failed. */
    async stop() {
      if (running === undefined) return
      running.stopping.abort()
      const { deliveries, responses } = await running.tallied
      running = undefined
      total.deliveries += deliveries
      for (const [key, count] of responses) total.responses.set(key, (total.responses.get(key) ?? 0) + count)
    },
    /** Calls a function as soon as so many more 200s have arrived. */
    afterAcknowledged(count: number, action: () => void) {
      countdown = count
      afterCountdown = action
    },
  }
}

/** Receivers before a power cut; `kill` kills all of them at once. */
interface Situation {
  readonly machine: Machine
  readonly receivers: readonly Receiver[]
  readonly load: Load
  readonly random: Random
  readonly kill: () => Promise<unknown>
}

/** When the power goes off. */
export interface Moment {
  readonly name: string
  /** Prepares the cut before the receivers start; without it they first listen and get deliveries. */
  readonly beforeStart?: (machine: Machine, random: Random) => void
  /** Waits for the moment. Whether it came; if not, the power is cut anyway. */
  readonly wait: (situation: Situation) => Promise<boolean>
}

const WITHIN_MS = 6000
/** Afterwards the startup is over, which takes about half a second. */
const START_WITHIN_MS = 3000
const POLL_MS = 2

/** The moments, in the order in which they take turns. */
export const MOMENTS: readonly Moment[] = [
  {
    name: 'under load',
    async wait({ random }) {
      await wait(between(random, 50, 800))
      return true
    },
  },
  { name: 'during a sync', wait: atOperation('sync', 150) },
  {
    name: 'right after a 200',
    async wait({ random, load, kill }) {
      const killed = new Promise<void>((resolve) => {
        load.afterAcknowledged(between(random, 1, 300), () => void kill().then(() => resolve()))
      })
      return Promise.race([killed.then(() => true), wait(WITHIN_MS, false)])
    },
  },
  {
    name: 'during startup',
    beforeStart: (machine, random) => machine.arm('write', between(random, 1, 40)),
    wait: ({ machine }) => powerOff(machine, START_WITHIN_MS),
  },
  {
    name: 'during a checkpoint',
    async wait({ machine, load, random }) {
      await wait(between(random, 200, 500))
      // A receiver checkpoints the log when no delivery arrives for a while.
      await load.stop()
      machine.arm('write-to-database', between(random, 1, 12))
      return powerOff(machine, WITHIN_MS)
    },
  },
  { name: 'between two writes', wait: atOperation('write', 800) },
  {
    name: 'during shutdown',
    async wait({ machine, receivers, random }) {
      await wait(between(random, 200, 500))
      const stopped = choose(random, receivers).stop()
      // Before it closes the file, a receiver checkpoints the log.
      machine.arm('write-to-database', between(random, 1, 12))
      return Promise.race([powerOff(machine, WITHIN_MS), stopped.then(() => false)])
    },
  },
]

function atOperation(trigger: Trigger, most: number): Moment['wait'] {
  return ({ machine, random }) => {
    machine.arm(trigger, between(random, 1, most))
    return powerOff(machine, WITHIN_MS)
  }
}

async function powerOff(machine: Machine, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs
  while (!machine.isOff() && Date.now() < deadline) await wait(POLL_MS)
  return machine.isOff()
}
