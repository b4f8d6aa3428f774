import type { Inbox } from './inbox.ts'
import { requireWhole } from './options.ts'

/** Whether a receiver should be sent deliveries, and in a word why not. */
export type Readiness = { ready: true } | { ready: false; reason: 'draining' | 'store' }

export interface ReadinessOptions {
  inbox: Pick<Inbox, 'check'>
  /** How long a look at the store counts, in milliseconds: however often it is asked, the store is not. */
  keptMs?: number
  /** How long the store may take, in milliseconds. */
  withinMs?: number
  /** Told what was wrong with the store, once for each look that failed. */
  onFailure?: (error: unknown) => void
  /** Told of each look that found the store in order. */
  onSuccess?: () => void
}

export interface ReadinessProbe {
  look(): Promise<Readiness>
  /** From now on it is not ready. */
  drain(): void
}

/**
 * Tells whether the store takes a write at this moment, and the process is not about to stop.
 * @throws TypeError if one of the numbers is no whole number above 0.
 */
export function createReadiness(options: ReadinessOptions): ReadinessProbe {
  const { inbox, keptMs = 1000, withinMs = 2000, onFailure = () => {}, onSuccess = () => {} } = options
  requireWhole({ keptMs, withinMs })
  let draining = false
  let last = { until: 0, look: Promise.resolve<Readiness>({ ready: true }) }

  async function ask(): Promise<Readiness> {
    try {
      await inTime(inbox.check(), withinMs)
      onSuccess()
      return { ready: true }
    } catch (error) {
      onFailure(error)
      return { ready: false, reason: 'store' }
    }
  }

  return {
    async look() {
      const now = performance.now()
      if (!draining && last.until <= now) last = { until: now + keptMs, look: ask() }
      const found = await last.look
      // It may have begun while the store was asked.
      return draining ? { ready: false, reason: 'draining' } : found
    },
    drain() {
      draining = true
    },
  }
}

async function inTime(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the store has not answered within ${ms} ms`)), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
