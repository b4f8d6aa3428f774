import type { Untested } from '../case.ts'

/** The run was ended early: what was not judged by then is not tested. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly reason: Untested

  constructor(reason: Untested) {
    super(reason.code)
    this.reason = reason
  }
}

/** Decides when a delivery may be sent. */
export interface Gate {
  /** Waits as long as deliveries are held back. @throws the reason for which nothing may be sent any more */
  readonly open: () => Promise<void>
  /** Counts a delivery as in flight while the task runs. */
  readonly during: <T>(task: () => Promise<T>) => Promise<T>
  /** Runs a task, and holds back what is sent meanwhile. */
  readonly holding: (task: () => Promise<void>) => Promise<void>
  /** The same, while nothing else is in flight. */
  readonly alone: (task: () => Promise<void>) => Promise<void>
  /** Resolves when nothing is in flight. */
  readonly idle: () => Promise<void>
  /** Lets nothing more through. The first reason stays. */
  readonly stop: (reason: Error) => void
  /** Why nothing may be sent any more. */
  readonly stopped: () => Error | undefined
}

export function createGate(): Gate {
  let stopped: Error | undefined
  let pausing: Promise<void> | undefined
  let inFlight = 0
  const whenIdle: (() => void)[] = []

  async function open(): Promise<void> {
    if (stopped !== undefined) throw stopped
    if (pausing === undefined) return
    await pausing
    await open()
  }

  async function idle(): Promise<void> {
    if (inFlight > 0) await new Promise<void>((resolve) => whenIdle.push(resolve))
  }

  async function holding(task: () => Promise<void>): Promise<void> {
    const earlier = pausing
    const mine = (async () => {
      await earlier
      await task()
    })()
    const settled = mine.then(
      () => undefined,
      () => undefined,
    )
    pausing = settled
    try {
      await mine
    } finally {
      if (pausing === settled) pausing = undefined
    }
  }

  return {
    open,
    idle,
    holding,
    alone: (task) =>
      holding(async () => {
        await idle()
        await task()
      }),
    async during(task) {
      inFlight += 1
      try {
        return await task()
      } finally {
        inFlight -= 1
        if (inFlight === 0) for (const tell of whenIdle.splice(0)) tell()
      }
    },
    stop(reason) {
      stopped ??= reason
    },
    stopped: () => stopped,
  }
}
