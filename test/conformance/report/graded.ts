import { type CheckOptions, check } from '../../../conformance/check.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { CORRECT, nameOf, type Setting, smallReceiver } from '../small-receiver.ts'
import { SECRET } from '../support.ts'

/** Grades a small receiver quickly. */
export const grade = async (setting: Setting, options: Partial<CheckOptions> = {}) => {
  const { url, observe } = await smallReceiver(setting)
  return check({ url, observe, secret: SECRET, timeoutMs: 5_000, waitMs: 400, ...options })
}

/** A receiver with a failure of each severity. */
export const wrong: Setting = {
  behavior: {
    same: () => true,
    rejects: (event) => (nameOf(event) === 'payment.expired' ? 422 : undefined),
    effectOf: (event, before) =>
      nameOf(event) === 'payment.refunded' ? undefined : CORRECT.effectOf(event, before),
  },
}

/** The cases that reveal them. */
export const some = [
  'refusals',
  'events/expired',
  'effects/refund-reverses',
  'effects/chargeback-reverses',
  'transport/content-*',
]

/** The cases that failed. */
export const failedIn = ({ verdicts }: ConformanceReport) =>
  verdicts.filter(({ outcome }) => outcome === 'failed')
