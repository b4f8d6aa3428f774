import { EngineError } from '../errors.ts'
import type { Observer } from '../observe/observe.ts'
import { pauseAwake } from '../time/awake.ts'

/** How long a receiver gets to notice that connections were closed, before each further observation, in milliseconds. */
const NOTICED_AFTER_MS = [20, 100, 500]

/** The steps that take many connections: those may be missing where a receiver shows its effects. */
export interface Held {
  /** Performs such a step. */
  readonly during: <T>(step: () => Promise<T>) => Promise<T>
  /** An observer that looks again after such a step, if it could not see anything meanwhile. */
  readonly patient: (observer: Observer) => Observer
}

export function createHeld(): Held {
  let held = 0
  /** How many steps there were, so that an observation knows whether one began meanwhile. */
  let steps = 0
  const waiting: (() => void)[] = []

  async function released(): Promise<void> {
    if (held === 0) return
    await new Promise<void>((resolve) => waiting.push(resolve))
    await released()
  }

  return {
    async during(step) {
      held += 1
      steps += 1
      try {
        return await step()
      } finally {
        held -= 1
        for (const tell of waiting.splice(0)) tell()
      }
    },
    patient: (observer) => ({
      ...observer,
      async effects(key) {
        const before = held > 0 ? -1 : steps
        let failure: unknown
        for (const ms of [0, ...NOTICED_AFTER_MS]) {
          if (ms > 0) await released()
          if (ms > 0) await pauseAwake(ms)
          try {
            return await observer.effects(key)
          } catch (error) {
            failure = error
            if (!(error instanceof EngineError) || steps === before) throw error
          }
        }
        throw failure
      },
    }),
  }
}
