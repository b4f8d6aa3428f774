import { accepted, refused, refusedThoughSigned } from '../expectations/expect.ts'
import { header, signedAt } from '../mutate.ts'
import { mutated, mutatedThenControl } from '../plans.ts'
import { CLOCK_ADVANCES } from './clock.ts'
import { requirement, section } from './section.ts'
import { SECRET_HOLDER_ONLY } from './signature-header/common.ts'
import { staleBesideOtherTimes } from './unsigned/times.ts'

const WINDOW_SECONDS = 300
/** The receiver's clock is known to about a second, and a delivery takes time to arrive. */
const MARGIN_SECONDS = 5
const INSIDE = WINDOW_SECONDS - MARGIN_SECONDS
const OUTSIDE = WINDOW_SECONDS + MARGIN_SECONDS
const YEAR_SECONDS = 365 * 24 * 3600

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
        send: mutated(signedAt(`t ${INSIDE} s ago`, (now) => now - INSIDE)),
        expect: [accepted],
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
      ...CLOCK_ADVANCES,
    },
  ),
  requirement(
    'A receiver MUST refuse a validly signed delivery whose `t` is in the past by more than the window, with status 400.',
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
        expect: [refusedThoughSigned(400)],
        impact: `A delivery dated 1970 is accepted: the age is not checked at all, or not when \`t\` is 0. ${SECRET_HOLDER_ONLY}`,
        fix: 'Answer 400 when |now - t| is more than 300 seconds. Test whether `t` is present without treating 0 as missing.',
      },
      ...staleBesideOtherTimes,
    },
  ),
  requirement(
    'A receiver MUST refuse a validly signed delivery whose `t` is in the future by more than the window, with status 400.',
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
    },
  ),
  requirement(
    'A receiver MUST read `t` in seconds and refuse a `t` in milliseconds, with status 400.',
    {
      impact: `The receiver misjudges the age of every delivery, because it reads \`t\` in a different unit from the one that the service uses. ${SECRET_HOLDER_ONLY}`,
      fix: 'Compare seconds with seconds, by absolute difference (in JavaScript, Date.now() / 1000); do not convert `t`.',
    },
    {
      'in-milliseconds': {
        send: mutatedThenControl(signedAt('t in milliseconds', (now) => now * 1000)),
        expect: [refusedThoughSigned(400)],
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
