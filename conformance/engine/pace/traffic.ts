import { setTimeout as pause } from 'node:timers/promises'
import type { Untested } from '../case.ts'
import type { Delivery } from '../delivery.ts'
import { type Exchange, isAcknowledged } from '../exchange.ts'
import { renewed } from '../renewal.ts'
import type { Target } from '../target.ts'
import { createSender, type Sender } from '../wire/sender.ts'
import { createBlockWatch, isClosed } from './blocked.ts'
import { createGate, Stopped } from './gate.ts'
import { afterPause, isLockedOut, RECOVERS_WITHIN_MS } from './locked.ts'
import { createRate } from './rate.ts'
import { createSemaphore, type Semaphore } from './semaphore.ts'
import { createSilenceWatch, type Silence, unansweredProbes } from './silence.ts'
import { type Growth, isSlow, type Notice, paceOf } from './slow.ts'

/** How long to wait for the news that a receiver has ended, after a delivery got no answer, in milliseconds. */
const NEWS_WITHIN_MS = 300
/** So many slow answers in a row are a reason to measure. */
const SLOW_IN_A_ROW = 3
/** How many deliveries are sent at the same time to see whether the receiver answers in parallel. */
const MEASURED = 4
export interface TrafficOptions {
  readonly target: Target
  /** Deliveries a second, over the entire run. Default: no limit. */
  readonly rate?: number | undefined
  /** How many cases may send at once. */
  readonly concurrency: number
  readonly ackWithinMs: number
  /** Makes a valid delivery about something new, to find out how the receiver answers one. */
  readonly plain: () => Delivery
  /** How many deliveries the run still has to send, about. */
  readonly remaining?: () => number
  /** Resolves with how the receiver ended, when it has been started for this run and ends by itself. */
  readonly ended?: Promise<string> | undefined
  readonly onNotice?: ((notice: Notice) => void) | undefined
  /** How long a receiver that stopped answering gets at least for one more delivery, in milliseconds; default 10 s. */
  readonly patienceMs?: number | undefined
  /** How long a receiver gets that turns every delivery away, in milliseconds; default 61 s. */
  readonly recoversWithinMs?: number | undefined
  /** Whether a case of the run judges that a receiver turns everybody away. Otherwise it is not found out. */
  readonly judgesLock?: boolean | undefined
}

/** How a run gets on. */
export interface Pace {
  /** How many deliveries were sent. */
  readonly sent: number
  /** How long a response took, the median of the last ones, in milliseconds; undefined before the first one. */
  readonly answerMs: number | undefined
  /** Whether more deliveries at the same time would make the run shorter: the receiver answers them in parallel. */
  readonly isParallel: boolean
}

/** How many responses show how long one takes now. */
const LATEST = 51

/** Everything that a run sends: at the wanted rate, as many at a time as the receiver can take, until it is stopped. */
export interface Traffic extends Sender {
  /** One place for each case that may send. */
  readonly semaphore: Semaphore
  /** Deliveries a second that may not be exceeded, not even by a group. */
  readonly rate: number | undefined
  /** Resolves when the receiver is slow, but no case can disturb another: then none has to be sent alone. */
  readonly hurry: Promise<void>
  /** How the run gets on. */
  readonly pace: () => Pace
  /** Whether answers are slow but parallel: what is independent may then be sent together. */
  readonly isHurried: () => boolean
  /** A sender with connections of its own, at the rate of the run: its answers say nothing about the cases. */
  readonly aside: () => Sender
  /** Takes account of how long the first answer took, before the first case, in milliseconds. */
  readonly measure: (firstMs: number) => Promise<void>
  /** @throws EngineError `rate_limited`, `blocked` or `unavailable` when the end of the run shows it */
  readonly finish: () => Promise<void>
  /** Makes everything that is still to be sent fail with `Stopped`. */
  readonly stop: (reason: Untested) => void
  /** Waits until an answer arrives or nothing is in flight, so that `silence` is certain. */
  readonly certain: () => Promise<void>
  /** What was under way when the receiver stopped answering; undefined as long as it answers. */
  readonly silence: () => Silence | undefined
  /**
   * Sends once more after a pause, also from another address, if a valid delivery was refused and the one before it was not, or
   * both were turned away: a receiver that still accepts nothing ends the run.
   */
  readonly recovery: (
    before: Exchange | undefined,
    refused: Exchange | undefined,
  ) => Promise<readonly Exchange[]>
  /** The valid deliveries that showed that the receiver accepts nothing any more; undefined as long as it does. */
  readonly lock: () => readonly Exchange[] | undefined
  /** Resolves when the receiver has stopped answering. */
  readonly silent: Promise<void>
  /** How the receiver ended, and what was in flight then; undefined as long as it has not. */
  readonly end: () => { readonly how: string; readonly inFlight: readonly Delivery[] } | undefined
}

export function createTraffic(options: TrafficOptions): Traffic {
  const { target, concurrency, ackWithinMs, plain, ended, onNotice } = options
  const plainSender = createSender(target)
  const semaphore = createSemaphore(concurrency)
  const rate = createRate(options.rate)
  const watch = createBlockWatch()
  const gate = createGate()
  const silenceWatch = createSilenceWatch(target.timeoutMs, options.patienceMs)
  let silence: Silence | undefined
  let tellSilence = (): void => undefined
  const silent = new Promise<void>((resolve) => {
    tellSilence = resolve
  })
  let checking: Promise<void> | undefined
  let lock: readonly Exchange[] | undefined
  /** A pause is long, so that a run has only one. */
  let hasRecovered = false
  let sent = 0
  /** How long a delivery took that was sent alone, in milliseconds. */
  let singleMs = Number.POSITIVE_INFINITY
  let isInTurn = false
  const latest: number[] = []
  let slowInARow = 0
  let isMeasured = false
  let growth: Growth | undefined
  let end: ReturnType<Traffic['end']>
  const unsettled = new Set<Delivery>()
  let startHurry = (): void => undefined
  const hurry = new Promise<void>((resolve) => {
    startHurry = resolve
  })

  async function noteEnd(ending: Promise<string>): Promise<void> {
    const how = await ending
    end = { how, inFlight: [...unsettled] }
    gate.stop(new Stopped({ code: 'receiver_ended', how }))
  }
  if (ended !== undefined) void noteEnd(ended)

  async function admit(count: number): Promise<void> {
    await gate.open()
    await rate.take(count)
    await gate.open()
  }

  async function watched(planned: Delivery, sender: Sender): Promise<Exchange> {
    const delivery = renewed(planned)
    sent += 1
    unsettled.add(delivery)
    const number = silenceWatch.sending(delivery)
    const exchange = await gate.during(() => sender.send(delivery))
    await learn(number, exchange).finally(() => unsettled.delete(delivery))
    return exchange
  }

  async function learn(number: number, exchange: Exchange): Promise<void> {
    const { answer, error } = exchange
    if (silenceWatch.saw(number, exchange) && silence === undefined) {
      checking ??= gate.holding(checkSilence).finally(() => (checking = undefined))
      await checking
    }
    if (ended !== undefined && (error?.code === 'reset' || error?.code === 'refused')) {
      await Promise.race([ended, pause(NEWS_WITHIN_MS)])
      // Nobody was there to take the delivery: the answer says nothing about it.
      const stopped = gate.stopped()
      if (error.code === 'refused' && stopped !== undefined) throw stopped
    }
    if (watch.saw(exchange)) await gate.alone(() => confirmBlock())
    latest.push(msOf(exchange))
    if (latest.length > LATEST) latest.shift()
    if (growth !== undefined && (answer !== undefined || error?.code === 'timeout')) {
      semaphore.resize(growth.after(msOf(exchange)))
      if (growth.isUndisturbed()) startHurry()
    }
    slowInARow = (answer?.ms ?? 0) > ackWithinMs || error?.code === 'timeout' ? slowInARow + 1 : 0
    if (slowInARow >= SLOW_IN_A_ROW && !isMeasured && silence === undefined) {
      isMeasured = true
      await gate.alone(async () => {
        const { answer } = await plainSender.send(plain())
        // A receiver that does not answer a single delivery has no pace to measure.
        if (answer !== undefined) await adapt(answer.ms)
      })
    }
  }

  async function checkSilence(): Promise<void> {
    const unanswered = await unansweredProbes({
      target,
      plain,
      rate,
      pooled: plainSender,
      watch: silenceWatch,
      onNotice,
    })
    if (unanswered === undefined) return
    silence = silenceWatch.silence(unanswered)
    gate.stop(new Stopped({ code: 'stopped_answering' }))
    tellSilence()
  }

  async function confirmBlock(mayPause = options.judgesLock === true): Promise<void> {
    await rate.take()
    const refused = await plainSender.send(plain())
    const error = watch.confirms(refused, target.url.href)
    if (error === undefined) return
    if (mayPause) await recover(refused)
    if (lock !== undefined) return
    gate.stop(error)
    throw error
  }

  async function recover(refused: Exchange): Promise<readonly Exchange[]> {
    const { recoversWithinMs: withinMs = RECOVERS_WITHIN_MS } = options
    if (hasRecovered || refused.answer === undefined) return []
    hasRecovered = true
    onNotice?.({ code: 'turned_away', status: refused.answer.status, withinMs })
    const probes = await afterPause({ target, plain, withinMs })
    if (!isLockedOut([refused, ...probes])) return probes
    lock = [refused, ...probes]
    gate.stop(new Stopped({ code: 'locked_out' }))
    return probes
  }

  const msOf = ({ answer }: Exchange): number => answer?.ms ?? target.timeoutMs

  async function adapt(oneMs: number): Promise<void> {
    await rate.take(MEASURED)
    const together = Array.from({ length: MEASURED }, () => plainSender.send(plain()))
    const allMs = Math.max(...(await Promise.all(together)).map(msOf))
    isInTurn = allMs >= 2 * oneMs
    const left = Math.max(0, (options.remaining?.() ?? 0) - sent)
    const pace = paceOf({ oneMs, allMs, together: MEASURED, ackWithinMs, concurrency, left })
    if (pace === undefined) return
    semaphore.resize(pace.cases)
    if (pace.notice !== undefined) onNotice?.(pace.notice)
    growth = pace.growth
  }

  const through = (sender: Sender): Sender => {
    const immediate: Sender = { ...sender, send: (delivery) => watched(delivery, sender) }
    return {
      async send(delivery) {
        await admit(1)
        return watched(delivery, sender)
      },
      async group(count, send) {
        await admit(count)
        return send(immediate)
      },
      onOneConnection: (from) => through(sender.onOneConnection(from)),
      close: sender.close,
    }
  }

  const paced = (sender: Sender): Sender => {
    const slowed: Sender = {
      ...sender,
      async send(delivery) {
        await rate.take()
        return sender.send(delivery)
      },
      group: (_, together) => together(slowed),
      onOneConnection: (from) => paced(sender.onOneConnection(from)),
    }
    return slowed
  }

  return {
    ...through(plainSender),
    aside: () => paced(createSender(target)),
    semaphore,
    rate: options.rate,
    hurry,
    isHurried: () => growth !== undefined,
    pace() {
      const answerMs = latest.toSorted((a, b) => a - b)[Math.floor(latest.length / 2)]
      const isWaiting = answerMs !== undefined && answerMs >= 2 * singleMs
      const isParallel = !isInTurn && !isWaiting && growth === undefined && options.rate === undefined
      return { sent, answerMs, isParallel }
    },
    async measure(firstMs) {
      singleMs = firstMs
      if (!isSlow(firstMs, { ackWithinMs, concurrency })) return
      isMeasured = true
      await adapt(firstMs)
    },
    async finish() {
      // Every case is judged.
      if (watch.isSuspicious() && gate.stopped() === undefined) await gate.alone(() => confirmBlock(false))
    },
    stop(reason) {
      gate.stop(new Stopped(reason))
    },
    async certain() {
      await Promise.race([silenceWatch.nextAnswer(), gate.idle()])
      await checking
    },
    async recovery(before, refused) {
      if (before === undefined || refused === undefined || isAcknowledged(refused)) return []
      // It is something else why it accepts nothing.
      if (!watch.hasAccepted()) return []
      if (!isAcknowledged(before) && (before.answer === undefined || !isClosed(before.answer))) return []
      let probes: readonly Exchange[] = []
      await gate.alone(async () => {
        probes = await recover(refused)
      })
      return probes
    },
    lock: () => lock,
    silence: () => silence,
    silent,
    end: () => end,
  }
}
