import { inOrder, inTurn, later, onOneConnectionEvery, onSeparateConnections } from '../../../engine/plan.ts'
import { asControl, type Delivery, type HeaderLine } from '../../webhook/delivery.ts'
import { accepted, refused, refusedThoughSigned } from '../../webhook/expectations/expect.ts'
import { staleNotAccepted } from '../../webhook/expectations/unverified.ts'
import { waysAroundWhenStale } from '../../webhook/families/around.ts'
import { CONTENT_TYPES, FIELDS, HEADERS, QUERIES, TRANSFERS } from '../../webhook/families/ways.ts'
import { header, signedAt } from '../../webhook/mutate.ts'
import { eachThenControl, mutated, mutatedThenControl } from '../../webhook/plans.ts'
import {
  clockAdvances,
  oddSecond,
  STALE_BY_SECONDS,
  STEP_SECONDS,
  staleAlthoughSeen,
} from '../expectations/clock.ts'
import { fulfilledIfAcknowledged } from '../expectations/effects.ts'
import { aboutEvent, type Kit } from '../kit.ts'
import { refundOf } from '../payments.ts'
import { requirement, section } from '../section.ts'
import { OVERFLOWS, SECRET_HOLDER_ONLY } from './signature-header/common.ts'

const WINDOW_SECONDS = 300
/** The receiver's clock is known to about a second, and a delivery takes time to arrive. */
const MARGIN_SECONDS = 5
const INSIDE = WINDOW_SECONDS - MARGIN_SECONDS
const OUTSIDE = WINDOW_SECONDS + MARGIN_SECONDS
const YEAR_SECONDS = 365 * 24 * 3600

/** The edge of the window, in seconds ahead: for a receiver that started up to five seconds before the run. */
const AHEAD_SECONDS = [300, 299, 298, 297, 296, 295]
/** How often each later delivery is sent: machines behind a balancer have clocks of their own. */
const COPIES = 4
/** Longer than the step between the two, in milliseconds, by more than usual clocks differ. */
const LATER_MS = 2_600
/** The edge of the window, in seconds ahead, when the connection is opened. */
const AHEAD_OF_OPENING = [300, 299]
/** By how much later their copies are signed, in seconds: the connection may be opened that long after the start of the run. */
const OPEN_SECONDS = 2
/** Inside the window: these only take time. */
const BETWEEN = [100, 99, 98, 97, 96]
/** Until the next delivery on the open connection, in milliseconds: seven of them are longer than `OPEN_SECONDS`. */
const GAP_MS = 300
/** How far behind the clock the later deliveries are if they had to wait, in seconds: machines behind a balancer differ. */
const BEHIND_SECONDS = 2

/** Inside the window, in seconds: a receiver whose clock is ahead, or that gets them seconds later, still accepts some of them. */
const LAST_SECONDS = Array.from({ length: 15 }, (_, n) => WINDOW_SECONDS - 1 - 2 * n)
/** Until what was just inside is so far outside that a `t` which is less stale is outside too, in milliseconds. */
const STALE_AFTER_MS = 6_200

/** What overflows numbers, and what 55 and 61 bits, a duration in nanoseconds and a calendar with four digits do not hold. */
const FAR_AHEAD: Readonly<Record<string, (now: number) => string>> = {
  't in the year 10000': () => '253402300800',
  't = now + 2^33': (now) => `${now + 2 ** 33}`,
  't = now + 2^39': (now) => `${now + 2 ** 39}`,
  't beyond 2^63 nanoseconds': () => '9223372037',
  't = now + 2^55': (now) => `${BigInt(now) + 2n ** 55n}`,
  't = now + 2^61': (now) => `${BigInt(now) + 2n ** 61n}`,
  't = 2^63 - 1': () => `${2n ** 63n - 1n}`,
  ...Object.fromEntries(
    OVERFLOWS.map(([name, seconds]) => [`t = now + ${name}`, (now: number) => `${BigInt(now) + seconds}`]),
  ),
}
/** Times of this century that a type of few bits cannot tell from now. */
const LONG_STALE = OVERFLOWS.filter(([, seconds]) => seconds < 2n ** 30n)

const HOURS_SECONDS = 2 * 3600

/**
 * Ways around verification that have nothing to do with a secret. A server may refuse HTTP/1.0 with 505, and one that
 * decompresses bodies itself, such as aiohttp, answers 500 to plain JSON that is announced as gzip.
 */
const WHATEVER_IT_SAYS = [
  ...Object.values(FIELDS).flat(),
  ...Object.values(CONTENT_TYPES).flat(),
  ...TRANSFERS.chunked,
  ...QUERIES.test,
  ...QUERIES.claims,
  ...QUERIES.keys,
  ...QUERIES.times,
  ...Object.entries(HEADERS).flatMap(([name, ways]) => (name === 'secret' ? [] : ways)),
]

const TIMES = [
  'X-Timestamp',
  'X-Request-Timestamp',
  'X-Request-Time',
  'X-Webhook-Timestamp',
  'Webhook-Timestamp',
  'X-Service-Timestamp',
]

/** Adds headers that state a time, in Unix seconds. The delivery keeps its `t`. */
const withTimes = (delivery: Delivery, change: string, seconds: number): Delivery => ({
  ...delivery,
  change,
  headers: [
    ...delivery.headers,
    ['Date', new Date(seconds * 1000).toUTCString()],
    ...TIMES.map((name): HeaderLine => [name, String(seconds)]),
    ['X-Request-Start', `t=${seconds * 1000}`],
  ],
})

/** Events that differ in nothing but their ids: a receiver may refuse some events for what is in them. */
function alike(kit: Kit): (seconds: number, base: number) => Delivery {
  const start = kit.emittedAt()
  const event = kit.event('completed')
  let count = 0
  return (seconds, base) => {
    const id = `${String(event['id'])}${(count += 1)}`
    const one = { ...event, id, payment_id: id, order_id: id }
    return {
      ...kit.redelivery(kit.body(JSON.stringify(one), aboutEvent(one)), { t: base + seconds }),
      change: `t ${base + seconds - start} s ahead of the start of the run`,
      madeAt: base,
    }
  }
}

const windowTooNarrow = {
  impact: 'Payments are refused when a clock is slightly off or a delivery is delayed.',
  fix: 'Refuse only when the absolute difference is more than 300 seconds.',
}
const replay = {
  impact: 'An attacker can replay an old delivery forever.',
  fix: 'Answer 400 when |now - t| is more than 300 seconds.',
}

export const timeWindow = section(
  'time-window',
  'Time window',
  requirement(
    'A receiver MUST accept a valid delivery whose `t` is in the past by no more than the window.',
    windowTooNarrow,
    {
      'just-inside-the-past': {
        dependsOnTransit: true,
        send: mutated((delivery, kit) => {
          const now = kit.now()
          const t = oddSecond(now - INSIDE)
          return signedAt(`t ${now - t} s ago`, () => t)(delivery, kit)
        }),
        expect: [accepted],
      },
      'earlier-than-the-last-of-its-payment': {
        send: (kit) => {
          const paid = kit.delivery('completed')
          const refund = kit.redelivery(refundOf(paid, kit), { t: kit.now() - 60 })
          return inTurn(asControl(paid), { ...refund, change: 't 60 s before that of the completion' })
        },
        expect: [accepted],
        impact: 'A refund is refused, because it was signed before the last event that arrived.',
        fix: 'Compare `t` with the clock alone: deliveries may overtake one another.',
      },
      'a-minute-ago': {
        send: mutated(signedAt('t 60 s ago', (now) => now - 60)),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver MUST accept a valid delivery whose `t` is in the future by no more than the window.',
    windowTooNarrow,
    {
      'just-inside-the-future': {
        send: mutated(signedAt(`t ${INSIDE} s ahead`, (now) => now + INSIDE)),
        expect: [accepted],
      },
      'a-second-ahead': {
        send: mutated(signedAt('t 2 s ahead', (now) => now + 2)),
        expect: [accepted],
      },
      'clock-advances': {
        // Time has to pass, as it does while the effects of other cases are awaited.
        needs: 'effects',
        send: (kit) => {
          const start = kit.emittedAt()
          const afterwards = Math.max(start + STEP_SECONDS, kit.now() - BEHIND_SECONDS)
          const at = alike(kit)
          return inOrder(
            inTurn(...AHEAD_SECONDS.map((seconds) => ({ ...at(seconds, start), role: 'context' as const }))),
            later(LATER_MS),
            onSeparateConnections(
              ...AHEAD_SECONDS.flatMap((seconds) =>
                Array.from({ length: COPIES }, () => at(seconds, afterwards)),
              ),
            ),
            inTurn(asControl(kit.delivery('completed'))),
          )
        },
        expect: [clockAdvances, fulfilledIfAcknowledged],
        open: 'Whether a delivery at the edge of the window is accepted at all says nothing here.',
        about: ['refused-with-other-status'],
        impact:
          'The window stays where it was when the receiver started: five minutes later all payments are refused.',
        fix: 'Read the clock for every delivery, inside the handler; do not keep the time at which the module, the worker or a cache was loaded.',
      },
      'clock-advances-on-an-open-connection': {
        needs: 'effects',
        send: (kit) => {
          const start = kit.emittedAt()
          const at = alike(kit)
          return inOrder(
            onOneConnectionEvery(
              GAP_MS,
              ...[...AHEAD_OF_OPENING, ...BETWEEN].map((seconds) => ({
                ...at(seconds, start),
                role: 'context' as const,
              })),
              ...[1, 2, 3].flatMap(() =>
                AHEAD_OF_OPENING.map((seconds) => at(seconds, start + OPEN_SECONDS)),
              ),
            ),
            inTurn(asControl(kit.delivery('completed'))),
          )
        },
        expect: [clockAdvances, fulfilledIfAcknowledged],
        open: 'Whether a delivery at the edge of the window is accepted at all says nothing here, nor does a receiver that closes the connection.',
        about: ['refused-with-other-status'],
        impact:
          'The window stays where it was when the connection was opened: five minutes later all payments on it are refused.',
        fix: 'Read the clock for every delivery, inside the handler; keep no time with a connection.',
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a validly signed delivery whose `t` is in the past by more than the window, with status 400, or with 401 if `t` has too few digits for a timestamp.',
    replay,
    {
      'just-outside-the-past': {
        send: mutatedThenControl(signedAt(`t ${OUTSIDE} s ago`, (now) => now - OUTSIDE)),
        expect: [refused(400)],
      },
      'a-year-ago': {
        send: mutatedThenControl(signedAt('t a year ago', (now) => now - YEAR_SECONDS)),
        expect: [refused(400)],
      },
      'at-zero': {
        send: mutatedThenControl(signedAt('t = 0', () => 0)),
        expect: [refusedThoughSigned(400, 401)],
        open: 'A number of so few digits may count as malformed.',
        impact: `A delivery dated 1970 is accepted: the age is not checked at all, or not when \`t\` is 0. ${SECRET_HOLDER_ONLY}`,
        fix: 'Answer 400 when |now - t| is more than 300 seconds. Test whether `t` is present without treating 0 as missing.',
      },
      'stale-by-what-overflows': {
        send: eachThenControl(
          ...LONG_STALE.map(([name, seconds]) =>
            signedAt(`t = now - ${name}`, (now) => now - Number(seconds)),
          ),
        ),
        expect: [refused(400)],
        impact:
          'An attacker can replay a delivery when its age is a multiple of what a number of the receiver holds.',
        fix: 'Compare seconds in 64 bits or in floating point; do not multiply them in a type of 32 bits.',
      },
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
      'stale-whatever-the-request-says': {
        role: 'way-around',
        send: waysAroundWhenStale(HOURS_SECONDS, ...WHATEVER_IT_SAYS),
        expect: [staleNotAccepted],
        open: 'A receiver or a framework may refuse such a request with another status before the receiver reads `t`.',
        fix: 'Check the age of every delivery, whatever the request says about itself: anyone can write that.',
      },
      'stale-although-its-t-was-accepted-before': {
        // As for the clock that advances, time has to pass.
        needs: 'effects',
        send: (kit) => {
          const start = kit.emittedAt()
          const at = (t: number, change: string): Delivery => ({
            ...kit.redelivery(kit.delivery('completed'), { t }),
            change: `a t that was ${start - t} s old at the start of the run, ${change}`,
          })
          const times = LAST_SECONDS.map((seconds) => oddSecond(start - seconds))
          const first = times.map((t) => at(t, 'and new'))
          return inOrder(
            // Unchanged: their effects are due, and not those of the copies that are sent later.
            inTurn(
              ...first.map((delivery) => ({ ...delivery, role: 'context' as const, change: undefined })),
            ),
            later(STALE_AFTER_MS),
            inTurn(
              ...times.flatMap((t) => [at(t + STALE_BY_SECONDS, 'and new'), at(t, 'and accepted then')]),
              ...first.map((delivery) => ({
                ...delivery,
                change: `${delivery.change} then, sent again unchanged`,
              })),
              asControl(kit.delivery('completed')),
            ),
          )
        },
        expect: [staleAlthoughSeen, fulfilledIfAcknowledged],
        open: 'Whether a delivery at the edge of the window is accepted at all says nothing here.',
        about: ['let-in'],
        impact:
          'An attacker who recorded a delivery can replay it for as long as the receiver remembers its `t`.',
        fix: 'Compare `t` with the clock for every delivery; do not cache the result (lru_cache, a memo, a Map by `t`).',
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
    },
  ),
  requirement(
    'A receiver MUST refuse a validly signed delivery whose `t` is in the future by more than the window, with status 400, or with 401 if `t` is too large to be a timestamp.',
    {
      impact: `A delivery dated in the future can be replayed until that date has passed. ${SECRET_HOLDER_ONLY}`,
      fix: 'Compare the absolute difference; many libraries refuse only old timestamps.',
    },
    {
      'just-outside-the-future': {
        dependsOnTransit: true,
        send: mutatedThenControl(signedAt(`t ${OUTSIDE} s ahead`, (now) => now + OUTSIDE)),
        expect: [refusedThoughSigned(400)],
      },
      'a-year-ahead': {
        send: mutatedThenControl(signedAt('t a year ahead', (now) => now + YEAR_SECONDS)),
        expect: [refusedThoughSigned(400)],
      },
      'ahead-by-2-to-the-32': {
        send: mutatedThenControl(signedAt('t = now + 2^32', (now) => now + 2 ** 32)),
        expect: [refusedThoughSigned(400)],
        impact: `A delivery dated in the next century is accepted, because future times are not checked or the number is truncated to 32 bits. ${SECRET_HOLDER_ONLY}`,
        fix: 'Compare the absolute difference, in 64 bits or in a number type that does not wrap.',
      },
      'far-ahead': {
        send: eachThenControl(
          ...Object.entries(FAR_AHEAD).map(([change, t]) => signedAt(change, (now) => t(now))),
        ),
        expect: [refusedThoughSigned(400, 401)],
        open: 'A number that is no valid timestamp to a calendar or a limit of digits may count as malformed (SPEC.md 2.16).',
        impact: `A delivery dated thousands of years ahead is accepted, or an error of the date type is not caught. ${SECRET_HOLDER_ONLY}`,
        fix: 'Refuse a t of more than 12 digits, and compare numbers of seconds before you make a date or a duration of them.',
      },
    },
  ),
  requirement(
    'A receiver MUST read `t` in seconds and refuse a `t` in milliseconds, with status 400 or 401.',
    {
      impact: `The receiver misjudges the age of every delivery, because it reads \`t\` in a different unit from the one that the service uses. ${SECRET_HOLDER_ONLY}`,
      fix: 'Compare seconds with seconds, by absolute difference (in JavaScript, Date.now() / 1000); do not convert `t`.',
    },
    {
      'in-milliseconds': {
        send: mutatedThenControl(signedAt('t in milliseconds', (now) => now * 1000)),
        expect: [refusedThoughSigned(400, 401)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a replay that combines a fresh `t` with an old signature, with status 401.',
    {
      impact: 'An attacker can replay any old delivery by putting a new `t` before its signature.',
      fix: 'Compute the signature over `t`, a dot and the body.',
    },
    {
      'fresh-t-before-an-old-signature': {
        send: mutatedThenControl((delivery, kit) => {
          const old = kit.redelivery(delivery, { t: kit.now() - YEAR_SECONDS })
          return header('a fresh t with an old signature', ({ now }) => `t=${now},v1=${old.signed.v1}`)(
            delivery,
            kit,
          )
        }),
        expect: [refused(401)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery that is both stale and forged, with status 400 or 401.',
    {
      impact:
        'Anyone on the internet can report a payment that was never made, by giving the forgery an old `t`.',
      fix: 'Check the signature of every delivery, and answer 400 or 401 when it is wrong, whatever `t` is.',
    },
    {
      'stale-and-forged': {
        send: mutatedThenControl(
          header('a stale t and a wrong v1', ({ now }) => `t=${now - YEAR_SECONDS},v1=${'0'.repeat(64)}`),
        ),
        expect: [refused(400, 401)],
        open: 'Either check may come first.',
      },
    },
  ),
)
