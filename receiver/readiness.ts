import type { Inbox } from './inbox.ts'
import { guarded } from './shared/callback.ts'
import { requirePositiveIntegers } from './shared/options.ts'
import { within } from './shared/time.ts'

/** Whether a load balancer should send deliveries to this receiver, and the reason if not. */
export type Readiness = { ready: true } | { ready: false; reason: 'draining' | 'store' }

export interface ReadinessOptions {
  inbox: Pick<Inbox, 'check'>
  /** How long a result is cached, in milliseconds, so that frequent probes do not load the store. */
  cacheMs?: number
  /** How long the store may take to respond, in milliseconds. */
  timeoutMs?: number
  /** Called with the error of each failed check of the store. What it throws is logged. */
  onFailure?: (error: unknown) => void
  /** Called after each successful check of the store. What it throws is logged. */
  onSuccess?: () => void
}

export interface ReadinessProbe {
  check(): Promise<Readiness>
  /** Reports `draining` from now on. */
  drain(): void
}

/**
 * Creates a probe that is ready while the store accepts writes and the process is not stopping.
 * @throws TypeError if a number is not an integer of at least 1.
 */
export function createReadiness(options: ReadinessOptions): ReadinessProbe {
  const { inbox, cacheMs = 1000, timeoutMs = 2000 } = options
  const onFailure = guarded('onFailure', options.onFailure ?? (() => {}))
  const onSuccess = guarded('onSuccess', options.onSuccess ?? (() => {}))
  requirePositiveIntegers({ cacheMs, timeoutMs })
  let draining = false
  let last = { until: 0, result: Promise.resolve<Readiness>({ ready: true }) }

  async function checkStore(): Promise<Readiness> {
    try {
      await within(timeoutMs, inbox.check(), `the store did not respond within ${timeoutMs} ms`)
      onSuccess()
      return { ready: true }
    } catch (error) {
      onFailure(error)
      return { ready: false, reason: 'store' }
    }
  }

  return {
    async check() {
      const now = performance.now()
      if (!draining && last.until <= now) last = { until: now + cacheMs, result: checkStore() }
      const result = await last.result
      // Draining may have started during the check.
      return draining ? { ready: false, reason: 'draining' } : result
    },
    drain() {
      draining = true
    },
  }
}
