import { accepted, refused } from '../case/expect.ts'
import type { Kit } from '../case/kit.ts'
import { header, type Mutation, signedAt } from '../case/mutate.ts'
import { inTurn, mutatedThenControl } from '../case/plan.ts'
import { section } from './section.ts'

const WINDOW_SECONDS = 300
/** The receiver's clock is known to about a second, and a delivery travels for a while. */
const MARGIN_SECONDS = 5
const INSIDE = WINDOW_SECONDS - MARGIN_SECONDS
const OUTSIDE = WINDOW_SECONDS + MARGIN_SECONDS
const YEAR = 365 * 24 * 3600

const genuineAt = (mutation: Mutation) => (kit: Kit) => inTurn(mutation(kit.delivery('completed'), kit))

const windowTooNarrow = {
  impact: 'Payments are refused when a clock is a little off or a delivery was held up.',
  fix: 'Refuse only when the absolute difference is more than 300 seconds.',
}
const replay = {
  impact: 'Whoever once saw a delivery can send it again for ever.',
  fix: 'Refuse with 400 when Math.abs(now - t) is more than 300, both in seconds.',
}
const oneSided = {
  impact: 'A delivery signed for a date in the future stays replayable until long after that date.',
  fix: 'Compare the absolute difference; many libraries look at the past only.',
}
const unsignedTime = {
  impact: 'The window is worth nothing: any old delivery is made fresh by writing a new `t` before it.',
  fix: 'Compute the signature over `t`, a dot and the body.',
}

export const timeWindow = section('time-window', 'Time window', {
  'just-inside-the-past': {
    spec: 'A receiver MUST accept a genuine delivery whose `t` lies in the past by no more than the window.',
    send: genuineAt(signedAt(`t ${INSIDE} s ago`, (now) => now - INSIDE)),
    expect: [accepted],
    ...windowTooNarrow,
  },
  'a-minute-ago': {
    spec: 'A receiver MUST accept a genuine delivery whose `t` lies in the past by no more than the window.',
    send: genuineAt(signedAt('t 60 s ago', (now) => now - 60)),
    expect: [accepted],
    ...windowTooNarrow,
  },
  'just-inside-the-future': {
    spec: 'A receiver MUST accept a genuine delivery whose `t` lies in the future by no more than the window.',
    send: genuineAt(signedAt(`t ${INSIDE} s ahead`, (now) => now + INSIDE)),
    expect: [accepted],
    ...windowTooNarrow,
  },
  'a-second-ahead': {
    spec: 'A receiver MUST accept a genuine delivery whose `t` lies in the future by no more than the window.',
    send: genuineAt(signedAt('t 2 s ahead', (now) => now + 2)),
    expect: [accepted],
    ...windowTooNarrow,
  },
  'just-outside-the-past': {
    spec: 'A receiver MUST refuse a delivery whose `t` lies in the past by more than the window, with status 400, though its signature is right.',
    send: mutatedThenControl(signedAt(`t ${OUTSIDE} s ago`, (now) => now - OUTSIDE)),
    expect: [refused(400)],
    ...replay,
  },
  'a-year-ago': {
    spec: 'A receiver MUST refuse a delivery whose `t` lies in the past by more than the window, with status 400, though its signature is right.',
    send: mutatedThenControl(signedAt('t a year ago', (now) => now - YEAR)),
    expect: [refused(400)],
    ...replay,
  },
  'at-zero': {
    spec: 'A receiver MUST refuse a delivery whose `t` lies in the past by more than the window, with status 400, though its signature is right.',
    send: mutatedThenControl(signedAt('t at 0', () => 0)),
    expect: [refused(400)],
    impact: 'A zero is taken for "no time given", and the window is not checked.',
    fix: replay.fix,
  },
  'just-outside-the-future': {
    spec: 'A receiver MUST refuse a delivery whose `t` lies in the future by more than the window, with status 400, though its signature is right.',
    send: mutatedThenControl(signedAt(`t ${OUTSIDE} s ahead`, (now) => now + OUTSIDE)),
    expect: [refused(400)],
    ...oneSided,
  },
  'a-year-ahead': {
    spec: 'A receiver MUST refuse a delivery whose `t` lies in the future by more than the window, with status 400, though its signature is right.',
    send: mutatedThenControl(signedAt('t a year ahead', (now) => now + YEAR)),
    expect: [refused(400)],
    ...oneSided,
  },
  'ahead-by-2-to-the-32': {
    spec: 'A receiver MUST refuse a delivery whose `t` lies in the future by more than the window, with status 400, though its signature is right.',
    send: mutatedThenControl(signedAt('the present plus 2 to the 32nd for t', (now) => now + 2 ** 32)),
    expect: [refused(400)],
    impact: 'A delivery signed for the next century is taken: it is not looked at, or cut to 32 bits.',
    fix: 'Compare the absolute difference, in 64 bits or in a number that does not wrap.',
  },
  'in-milliseconds': {
    spec: 'A receiver MUST read `t` in seconds, and refuse one in milliseconds with status 400.',
    send: mutatedThenControl(signedAt('t in milliseconds', (now) => now * 1000)),
    expect: [refused(400)],
    impact: 'The receiver reads the time in another unit than the service writes it.',
    fix: 'Compare seconds with seconds, by absolute difference (in JavaScript Date.now() / 1000); leave `t` as it is.',
  },
  'fresh-t-before-an-old-signature': {
    spec: 'A receiver MUST refuse a replay that puts a fresh `t` before an old signature, with status 401.',
    send: mutatedThenControl((delivery, kit) => {
      const old = kit.redelivery(delivery, { t: kit.now() - YEAR })
      return header(
        'a fresh t before the signature of an old one',
        ({ now }) => `t=${now},v1=${old.signed.v1}`,
      )(delivery, kit)
    }),
    expect: [refused(401)],
    ...unsignedTime,
  },
  'stale-and-forged': {
    spec: 'A delivery that is both stale and forged MUST be refused with status 400 or 401.',
    send: mutatedThenControl(
      header('a stale t and a wrong v1', ({ now }) => `t=${now - YEAR},v1=${'0'.repeat(64)}`),
    ),
    expect: [refused(400, 401)],
    open: 'Either check may come first.',
    ...replay,
  },
})
