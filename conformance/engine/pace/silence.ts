import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import type { Target } from '../target.ts'
import { awakeNow, pauseAwake } from '../time/awake.ts'
import { createSender, type Sender } from '../wire/sender.ts'
import type { Rate } from './rate.ts'
import type { Notice } from './slow.ts'

/** How long a receiver that stopped answering gets for one more delivery, at least and at most, in milliseconds. */
const PATIENCE_MS = { least: 10_000, most: 120_000 }
/** So much longer than it should take a receiver that answers in turn to work off what was given up. */
const MARGIN = 2
/** How many of the last answers show how long one takes. */
const REMEMBERED = 10
/** Without an answer for this share of the time that a delivery gets, a receiver may have stopped. */
const SILENT_SHARE = 0.5
/** What was sent later than this after the last answer cannot be why no other followed, in milliseconds. */
const IN_FLIGHT_MS = 1_000

/** What was under way when a receiver stopped answering. */
export interface Silence {
  /** The deliveries that were in flight then and got no answer, in the order in which they were sent. */
  readonly inFlight: readonly Delivery[]
  /** Every delivery that got no answer since. */
  readonly unanswered: ReadonlySet<Delivery>
  /** How many senders had broken off in the middle of a delivery, as planned. */
  readonly brokenOff: number
  /** Valid deliveries that were sent to find out, and their outcome. */
  readonly probes: readonly Exchange[]
}

/** Watches for a receiver that stops answering: it may still accept connections. */
export interface SilenceWatch {
  /** Notes that a delivery is sent. @returns its number */
  readonly sending: (delivery: Delivery) => number
  /** Notes the outcome. @returns whether the receiver may have stopped answering */
  readonly saw: (number: number, exchange: Exchange) => boolean
  /** Resolves with the next answer. */
  readonly nextAnswer: () => Promise<void>
  /**
   * How long one more delivery may take, in milliseconds: a receiver that answers in turn may still work on those that were
   * given up.
   */
  readonly patienceMs: () => number
  readonly silence: (probes: readonly Exchange[]) => Silence
}

interface Unanswered {
  readonly delivery: Delivery
  readonly at: number
  /** Whether its time is up. */
  isGivenUp: boolean
}

/**
 * @param timeoutMs how long the run waits for an answer, in milliseconds
 * @param leastMs the shortest patience, in milliseconds
 */
export function createSilenceWatch(timeoutMs: number, leastMs: number = PATIENCE_MS.least): SilenceWatch {
  let sent = 0
  /** When the last answer came. */
  let answeredAt: number | undefined
  let brokenOff = 0
  /** Without an answer, in flight or given up. */
  const missing = new Map<number, Unanswered>()
  const lastMs: number[] = []
  let waiting: (() => void)[] = []

  function noteAnswer(number: number, { delivery, answer }: Exchange): void {
    answeredAt = awakeNow()
    // A receiver that answers in turn has worked off what came before.
    for (const [earlier, { isGivenUp }] of missing) if (isGivenUp && earlier < number) missing.delete(earlier)
    missing.delete(number)
    if (delivery.transport === undefined && answer !== undefined) lastMs.push(answer.ms)
    if (lastMs.length > REMEMBERED) lastMs.shift()
    for (const tell of waiting.splice(0)) tell()
  }

  return {
    sending(delivery) {
      sent += 1
      missing.set(sent, { delivery, at: awakeNow(), isGivenUp: false })
      return sent
    },
    saw(number, exchange) {
      if (exchange.answer !== undefined) noteAnswer(number, exchange)
      if (exchange.error?.code === 'timeout') {
        const own = missing.get(number)
        if (own !== undefined) own.isGivenUp = true
        return answeredAt !== undefined && awakeNow() - answeredAt >= timeoutMs * SILENT_SHARE
      }
      missing.delete(number)
      if (exchange.unanswered === true) brokenOff += 1
      return false
    },
    nextAnswer: () =>
      new Promise((resolve) => {
        waiting = [...waiting, resolve]
      }),
    patienceMs() {
      const meanMs = lastMs.reduce((sum, ms) => sum + ms, 0) / Math.max(1, lastMs.length)
      return Math.min(PATIENCE_MS.most, Math.max(leastMs, MARGIN * missing.size * meanMs))
    },
    silence(probes) {
      const all = [...missing.values()]
      const early = all.filter(({ at }) => at <= (answeredAt ?? 0) + IN_FLIGHT_MS)
      return {
        inFlight: (early.length > 0 ? early : all.slice(0, 1)).map(({ delivery }) => delivery),
        unanswered: new Set(all.map(({ delivery }) => delivery)),
        brokenOff,
        probes,
      }
    },
  }
}

/** When valid deliveries are sent to a receiver that may have stopped answering, as shares of the time that it gets. */
const PROBED_AT = [0, 0.01, 0.25, 0.5, 0.75]
/** A receiver that answers after all does so before this, as a rule, in milliseconds. */
const NOTICE_AFTER_MS = 1_000

interface Probing {
  readonly target: Target
  /** Makes a valid delivery about something new. */
  readonly plain: () => Delivery
  readonly rate: Rate
  /** A sender with the connections of the run. */
  readonly pooled: Sender
  readonly watch: SilenceWatch
  readonly onNotice?: ((notice: Notice) => void) | undefined
}

/**
 * Finds out whether a receiver answers anything, now or later and by any connection.
 *
 * @returns the valid deliveries that it left without an answer; undefined if it answered one, or refuses connections
 */
export async function unansweredProbes(probing: Probing): Promise<readonly Exchange[] | undefined> {
  const { target, rate, pooled, watch, onNotice } = probing
  const patienceMs = watch.patienceMs()
  const notice = setTimeout(
    () => onNotice?.({ code: 'answers_nothing', withinMs: patienceMs }),
    NOTICE_AFTER_MS,
  )
  let isOver = false
  const probes = PROBED_AT.map(async (share): Promise<Exchange | undefined> => {
    const laterMs = share * patienceMs
    await pauseAwake(laterMs)
    await rate.take()
    if (isOver) return undefined
    if (share === 0) return sendProbe(pooled, probing)
    // A connection may belong to a process that hangs, beside others that do not.
    const own = createSender({ ...target, timeoutMs: patienceMs - laterMs })
    return sendProbe(own, probing).finally(own.close)
  })
  const isAnswered = new Promise<undefined>((resolve) => {
    void watch.nextAnswer().then(() => resolve(undefined))
    for (const probe of probes) {
      void probe.then((exchange) => (exchange?.error?.code === 'timeout' ? undefined : resolve(undefined)))
    }
  })
  const unanswered = await Promise.race([isAnswered, Promise.all(probes)])
  isOver = true
  clearTimeout(notice)
  return unanswered?.filter((exchange) => exchange !== undefined)
}

async function sendProbe(sender: Sender, { plain, watch }: Probing): Promise<Exchange> {
  const delivery = plain()
  const number = watch.sending(delivery)
  const exchange = await sender.send(delivery)
  watch.saw(number, exchange)
  return exchange
}
