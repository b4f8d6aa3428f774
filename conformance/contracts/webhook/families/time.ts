import { anotherTime, type Delivery } from '../delivery.ts'
import { notLetIn, notLetInThoughSigned } from '../expectations/unverified.ts'
import { header, type Mutation, signedAt } from '../mutate.ts'
import { mutated, mutatedThenControl } from '../plans.ts'
import { headerWith } from '../scheme.ts'
import { acknowledged, type Family, notAcceptedEach } from './family.ts'

const SECTION = 'time'
const DAY_SECONDS = 24 * 3600
/** The receiver's clock is known to about a second, and a delivery takes time to arrive. */
const MARGIN_SECONDS = 5
const replay = {
  section: SECTION,
  impact: 'Anyone who recorded a delivery can send it again at any later time.',
  fix: 'Compare the signed time with your clock, and refuse a delivery that is older than the tolerance.',
}

/** States another time than the signed one, where the service states it. */
const restamped =
  (change: string, time: (now: number, delivery: Delivery) => string): Mutation =>
  (delivery, kit) => {
    const t = time(kit.now(), delivery)
    const { stamps, header: own } = delivery.signed.scheme
    const changed = header(change, ({ scheme, v1 }) =>
      headerWith(scheme, own.time === undefined ? '' : t, v1),
    )
    return {
      ...changed(delivery, kit),
      stamps: delivery.stamps.map(([name, value]) => [name, name === stamps?.time ? t : value]),
    }
  }

/** The time is signed: another one breaks the signature. */
export const signedTime: Family = {
  ...replay,
  fix: 'Compute the HMAC over the time as well, exactly as the header states it.',
  cases: notAcceptedEach({
    'time-replaced': mutatedThenControl(
      restamped('another time than the signed one', (now, delivery) => String(anotherTime(delivery, now))),
    ),
    'time-emptied': mutatedThenControl(restamped('an empty time', () => '')),
    'fresh-time-before-an-old-signature': mutatedThenControl((delivery, kit) => {
      const old = kit.redelivery(delivery, { t: kit.now() - 365 * DAY_SECONDS })
      return restamped('a fresh time with an old signature', (now) => String(now))(old, kit)
    }),
  }),
}

/** Deliveries that arrive within half a minute. */
export const fresh: Family = {
  section: SECTION,
  impact: 'Events are refused when a clock is slightly off or a delivery is delayed.',
  fix: 'Use a tolerance of five minutes, in seconds, in both directions.',
  cases: () => ({
    'half-a-minute-ago': {
      send: mutated(signedAt('signed 30 s ago', (now) => now - 30)),
      expect: [acknowledged],
    },
    'a-second-ahead': {
      send: mutated(signedAt('signed 2 s ahead', (now) => now + 2)),
      expect: [acknowledged],
    },
  }),
}

/** Deliveries at the far end of the usual tolerance. */
export const withinTolerance: Family = {
  ...fresh,
  cases: ({ windowSeconds }) => ({
    'just-inside-the-past': {
      dependsOnTransit: true,
      send: mutated(
        signedAt('signed just inside the tolerance', (now) => now - windowSeconds + MARGIN_SECONDS),
      ),
      expect: [acknowledged],
    },
  }),
}

/** Deliveries older than any sensible tolerance. */
export const old: Family = {
  ...replay,
  cases: notAcceptedEach({
    'a-day-ago': mutatedThenControl(signedAt('signed a day ago', (now) => now - DAY_SECONDS)),
    'a-year-ago': mutatedThenControl(signedAt('signed a year ago', (now) => now - 365 * DAY_SECONDS)),
  }),
}

/** Deliveries older than the usual tolerance. */
export const beyondTolerance: Family = {
  ...replay,
  cases: ({ windowSeconds }) => ({
    'just-outside-the-past': {
      send: mutatedThenControl(
        signedAt('signed just outside the tolerance', (now) => now - windowSeconds - MARGIN_SECONDS),
      ),
      expect: [notLetIn],
    },
  }),
}

/** Deliveries of the future, which only the holder of the secret can sign. */
export const future: Family = {
  ...replay,
  impact:
    'A delivery dated in the future can be sent again until that date has passed. Only the holder of the secret can sign such a delivery.',
  fix: 'Compare the absolute difference: many libraries refuse only times in the past.',
  cases: notAcceptedEach(
    {
      'a-day-ahead': mutatedThenControl(signedAt('signed a day ahead', (now) => now + DAY_SECONDS)),
      'in-milliseconds': mutatedThenControl(signedAt('a time in milliseconds', (now) => now * 1000)),
    },
    notLetInThoughSigned,
  ),
}

/** Times that are no numbers, which only the holder of the secret can sign. */
export const noTime: Family = {
  ...replay,
  impact: 'The age is not checked. Only the holder of the secret can sign such a delivery.',
  fix: 'Accept a time only if it consists of ASCII digits, and compute the HMAC over its literal text.',
  cases: notAcceptedEach(
    {
      'time-not-a-number': mutatedThenControl(signedAt('the text NaN as the time', () => 'NaN')),
      'time-with-letters': mutatedThenControl(
        signedAt('letters after the digits of the time', (now) => `${now}abc`),
      ),
      'time-with-decimals': mutatedThenControl(signedAt('a time with decimals', (now) => `${now}.9`)),
    },
    notLetInThoughSigned,
  ),
}
