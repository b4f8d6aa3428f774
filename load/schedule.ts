import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A timer that is exact to about 0.1 ms. Those of Node.js count whole milliseconds and are up to 2 ms late. */
export type Timer = Awaited<ReturnType<typeof createTimer>>

/** Waits in a thread, because a wait is exact but blocks, and a busy loop would take the CPU time that the receiver needs. */
const WAIT = `
  const { parentPort, workerData: { request, delay } } = require('node:worker_threads')
  for (let last = 0; ; ) {
    Atomics.wait(request, 0, last)
    last = Atomics.load(request, 0)
    const end = performance.now() + delay[0]
    const isCurrent = () => Atomics.load(request, 0) === last
    // The notification of this request may arrive only now and end a wait early.
    for (let left = delay[0]; left > 0 && isCurrent(); left = end - performance.now()) Atomics.wait(request, 0, last, left)
    if (isCurrent()) parentPort.postMessage(last)
  }
`

/**
 * Starts a timer, which keeps the process running until it is ended.
 * @param request the number of the current request, on which the thread waits
 */
export async function createTimer(request = new Int32Array(new SharedArrayBuffer(4))) {
  const delay = new Float64Array(new SharedArrayBuffer(8))
  const worker = new Worker(WAIT, { eval: true, workerData: { request, delay } })
  await once(worker, 'online')
  let callback = (): void => {}
  worker.on('message', (answered: number) => {
    // Another request may have replaced it meanwhile.
    if (answered === request[0]) callback()
  })
  return {
    /** Calls back after this many milliseconds. Another start replaces the one before. */
    start(ms: number, whenElapsed: () => void) {
      callback = whenElapsed
      delay[0] = ms
      Atomics.add(request, 0, 1)
      Atomics.notify(request, 0)
    },
    /** Ends the timer; no callback follows. */
    end() {
      worker.removeAllListeners('message')
      void worker.terminate()
    },
  }
}

interface ScheduleOptions {
  /** When the run started; all times are milliseconds of `performance.now()`. */
  readonly started: number
  readonly durationMs: number
  /** Deliveries per second; without it a delivery is due whenever a connection is free. */
  readonly rate?: number | undefined
  /** How long after the end late deliveries are still sent, in milliseconds. */
  readonly graceMs: number
}

/** When deliveries are due. */
export function createSchedule({ started, durationMs, rate, graceMs }: ScheduleOptions) {
  const end = started + durationMs
  let count = 0
  let stopped = false
  let due = dueWithin(durationMs)

  /** How many deliveries are due in this many milliseconds from the start. */
  function dueWithin(ms: number): number {
    return rate === undefined ? 0 : Math.ceil((Math.min(ms, durationMs) * rate) / 1000)
  }

  return {
    /** When the next delivery is due, which may be in the past; undefined after the last one. */
    next(now: number): number | undefined {
      if (stopped) return undefined
      if (rate === undefined) return now < end ? now : undefined
      return count < due && now < end + graceMs ? started + (count / rate) * 1000 : undefined
    },
    /** The next delivery was sent. */
    sent() {
      count += 1
    },
    /** Ends the schedule early. @param now the deliveries that were due before and have not been sent count as unsent */
    stop(now?: number) {
      stopped = true
      due = now === undefined ? count : dueWithin(now - started)
    },
    /** Number of deliveries that were due and have not been sent. */
    unsent: () => Math.max(0, due - count),
  }
}
