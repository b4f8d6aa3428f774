import { inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../delivery.ts'
import { refused } from '../../expectations/expect.ts'
import { staleNotAccepted } from '../../expectations/unverified.ts'
import type { CaseOfRequirement } from '../../model.ts'
import { header } from '../../mutate.ts'
import { withTimes } from './parts.ts'

const HOURS_SECONDS = 2 * 3600

/** Stale deliveries beside other times that fit them: none of these is the receiver's clock (SPEC.md 3.3). */
export const staleBesideOtherTimes = {
  'stale-with-the-timestamp-of-its-body': {
    send: (kit) => {
      const t = kit.now() - HOURS_SECONDS
      const event = kit.delivery('completed', { timestamp: new Date(t * 1000).toISOString() })
      return inTurn(
        { ...kit.redelivery(event, { t }), change: 't and the timestamp of the body two hours ago' },
        asControl(event),
      )
    },
    expect: [refused(400)],
    fix: "Compare `t` with the receiver's own clock; the timestamp of the body says when the event happened.",
  },
  'stale-with-times-in-headers': {
    send: (kit) => {
      const t = kit.now() - HOURS_SECONDS
      const event = kit.delivery('completed')
      const old = kit.redelivery(event, { t })
      return inTurn(
        withTimes(old, 't two hours ago, with Date, X-Timestamp and the like of that time', t),
        withTimes(old, 't two hours ago, with Date, X-Timestamp and the like of now', kit.now()),
        asControl(event),
      )
    },
    expect: [staleNotAccepted],
    open: 'A receiver or a proxy may refuse a Date header that is wrong before the receiver reads `t`.',
    fix: "Compare `t` with the receiver's own clock, not with a header: anyone can write any header.",
  },
  'stale-behind-a-label-that-ends-in-t': {
    send: (kit) => {
      const event = kit.delivery('completed')
      const old = kit.redelivery(event, { t: kit.now() - HOURS_SECONDS })
      const fresh = header(
        't two hours ago, behind an unknown label that ends in t',
        ({ t, v1 }) => `ext=${kit.now()},t=${t},v1=${v1}`,
      )
      return inTurn(fresh(old, kit), asControl(event))
    },
    expect: [refused(400)],
    fix: 'Split the header at the commas, and compare entire labels: `/t=(\\d+)/` also finds `ext=1`.',
  },
} as const satisfies Record<string, CaseOfRequirement>
