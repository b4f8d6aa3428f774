import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../schemas/types.ts'
import type { Kit, PaymentContract } from '../contracts/payment-service/index.ts'
import type { Target } from '../contracts/webhook/target.ts'
import { EngineError, type NotStarted } from '../engine/errors.ts'
import type { Observer } from '../engine/observe/observe.ts'
import { type Launched, type LaunchOptions, launch } from '../engine/process/launch.ts'
import { takesConnections } from '../engine/process/port.ts'
import { awakeNow } from '../engine/time/awake.ts'
import { excludeReceiverDelay } from '../engine/time/receiver-delay.ts'
import { type OutputWatch, saysAddressTaken, tellingLine } from './output.ts'
import type { Payment } from './payments.ts'
import { type Attempt, send } from './send.ts'

/** How often a receiver that ends during its start is started again, as a service manager would. */
const ATTEMPTS = 3
const PAUSE_BETWEEN_ATTEMPTS_MS = 1_000
const FIRST_GAP_MS = 10
const LONGEST_GAP_MS = 200
/** How long a receiver may refuse every probe with 4xx before its first acceptance: that is no matter of starting. */
const REFUSED_FOR_MS = 3_000

/** A receiver that is killed and started again. */
export interface Receiver {
  /**
   * Starts it and sends a probe, a valid delivery, until it is accepted: an open port alone means nothing.
   *
   * @throws EngineError `not_started` when it ends, does not listen in time or accepts no probe
   */
  readonly start: () => Promise<Start>
  /** Starts it and waits for nothing. */
  readonly launchOnly: () => Launched
  /** The process that was started last. */
  readonly current: () => Launched
  /** Leaves no process behind, whatever happened. */
  readonly end: () => Promise<void>
}

/** A start that succeeded. */
interface Start {
  /** How long it took until the probe was accepted, in milliseconds. */
  readonly tookMs: number
  /** When the probe was accepted. */
  readonly readyAt: number
  readonly probe: Payment
}

/** What all rounds of a run have in common. */
export interface World {
  readonly service: PaymentContract
  readonly receiver: Receiver
  readonly target: Target
  /** Makes deliveries that no other name has. */
  readonly kitOf: (name: string) => Kit
  readonly observer: Observer<Effect>
  readonly output: OutputWatch
  readonly seed: string
  readonly recoverWithinMs: number
  /** How long a start takes, and an effect after its acknowledgment, in milliseconds. */
  readonly startMs: number
  readonly effectMs: number
  readonly signal: AbortSignal | undefined
  readonly sent: (sent: Attempt) => void
  /** Called again and again with what the run waits for. */
  readonly onWaiting: (what: string) => void
}

/** How a receiver is started, and what it prints. */
export interface Launching extends LaunchOptions {
  readonly output: OutputWatch
}

interface ReceiverOptions extends Launching {
  readonly target: Target
  readonly kit: Kit
  readonly startWithinMs: number
  readonly sent: (sent: Attempt) => void
  readonly signal: AbortSignal | undefined
  readonly onWaiting: (what: string) => void
}

/** Makes a receiver that does not run yet. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { url, target, kit, startWithinMs, output, signal } = options
  let launched: Launched | undefined
  let wasAccepted = false
  let endDelay = (): void => undefined

  function launchOnly(): Launched {
    signal?.throwIfAborted()
    endDelay()
    launched = launch(options)
    return launched
  }

  async function attempt(): Promise<Start | NotStarted> {
    const startedAt = performance.now()
    const awakeAt = awakeNow()
    const printedBefore = output.lines()
    const process = launchOnly()
    const completed = kit.delivery('completed')
    const probe: Payment = {
      id: completed.key ?? '',
      completed,
      refund: undefined,
      isRepeated: false,
      sent: [],
    }
    let refusedSince: number | undefined
    for (let gap = FIRST_GAP_MS; ; gap = Math.min(gap * 1.3, LONGEST_GAP_MS)) {
      signal?.throwIfAborted()
      const last = probe.sent.at(-1)
      if (process.hasEnded() && !(await takesConnections(url)))
        return { ...printed(printedBefore), code: 'ended', how: process.how() }
      if (awakeNow() - awakeAt > startWithinMs) return notStarted(last, printedBefore)
      if (await takesConnections(url)) {
        const sent = await send(kit.redelivery(completed), target)
        probe.sent.push(sent)
        options.sent(sent)
        if (sent.status === 200) {
          wasAccepted = true
          process.ready()
          endDelay = excludeReceiverDelay(url)
          const readyAt = sent.answeredAt ?? performance.now()
          return { tookMs: readyAt - startedAt, readyAt, probe }
        }
        const isRefused = sent.status !== undefined && sent.status < 500
        refusedSince = isRefused ? (refusedSince ?? awakeNow()) : undefined
        if (!wasAccepted && refusedSince !== undefined && awakeNow() - refusedSince > REFUSED_FOR_MS)
          return notStarted(sent, printedBefore)
      }
      options.onWaiting('waiting for the receiver to accept a valid delivery')
      await pause(gap)
    }
  }

  function printed(printedBefore: number): Pick<NotStarted, 'last' | 'isAddressTaken'> {
    const lines = output.lastLines(printedBefore)
    return { last: tellingLine(lines)?.slice(0, 200), isAddressTaken: saysAddressTaken(lines) }
  }

  function notStarted(last: Attempt | undefined, printedBefore: number): NotStarted {
    const shown = printed(printedBefore)
    if (last === undefined) return { code: 'not_listening', host: url.host, ms: startWithinMs, ...shown }
    const { status, error } = last
    return status === undefined
      ? { code: 'no_answer', error, ...shown }
      : { code: 'not_accepted', status, ...shown }
  }

  return {
    launchOnly,
    async end() {
      endDelay()
      launched?.killNow()
      // The run has its result, or its error, already.
      await launched?.gone().catch(() => undefined)
    },
    current() {
      if (launched === undefined) throw new Error('the receiver has not been started')
      return launched
    },
    async start() {
      for (let n = 1; ; n += 1) {
        const result = await attempt()
        if ('readyAt' in result) return result
        if (result.code === 'ended' && wasAccepted && n < ATTEMPTS) {
          await pause(PAUSE_BETWEEN_ATTEMPTS_MS)
          continue
        }
        throw new EngineError({ code: 'not_started', why: result })
      }
    },
  }
}
