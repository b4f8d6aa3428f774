import { acceptedOrRefused, refused, refusedThoughSigned } from '../../../webhook/expectations/expect.ts'
import { header, hmac, type Mutation, signedAt } from '../../../webhook/mutate.ts'
import { eachThenControl, mutatedThenControl } from '../../../webhook/plans.ts'
import { requirement } from '../../section.ts'
import { latin1 } from './bytes.ts'
import { FORGED, OVERFLOWS, SECRET_HOLDER_ONLY, serverError } from './common.ts'

const STALE_SECONDS = 3600
const STRICT_NUMBER =
  'Accept `t` only if it is 1 to 12 ASCII digits, and compute the HMAC over its literal text.'

/** What is negative for as long as a 32-bit number holds the time. */
const BELOW_ZERO = OVERFLOWS.filter(([, seconds]) => seconds >= 2n ** 31n)
/** Written among the digits of `t`, as text and in bytes; some decoders drop them. */
const DROPPED: readonly Mutation[] = [
  ...['\u0080', '\u00ff', '\u00ad'].map((character) => latin1(amongDigits(character))),
  ...['\u200b', '\ufeff'].map(amongDigits),
]

function amongDigits(character: string): Mutation {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  return header(
    `U+${code} among the digits of t, which was signed without it`,
    ({ t, v1 }) => `t=${t.slice(0, 5)}${character}${t.slice(5)},v1=${v1}`,
  )
}

/** A `t` that states no time, or none inside the window. */
export const noTime = requirement(
  'A receiver MUST refuse a delivery whose `t` does not state a time, such as `NaN` or a negative number, with status 400 or 401, even if the signature covers that exact text.',
  {
    impact: `A delivery is accepted although its age is unknown. ${SECRET_HOLDER_ONLY}`,
    fix: STRICT_NUMBER,
  },
  {
    't-not-a-number': {
      send: mutatedThenControl(signedAt('the text NaN for t', () => 'NaN')),
      expect: [refusedThoughSigned(400, 401)],
      impact: `The window is not checked, because every comparison with NaN is false. ${SECRET_HOLDER_ONLY}`,
    },
    't-infinite': {
      send: mutatedThenControl(signedAt('the text Infinity for t', () => 'Infinity')),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-minus-sign': {
      send: mutatedThenControl(signedAt('a minus sign before t', (now) => `-${now}`)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-far-below-zero': {
      send: eachThenControl(
        ...BELOW_ZERO.map(([name, seconds]) =>
          signedAt(`t = now - ${name}`, (now) => `${BigInt(now) - seconds}`),
        ),
      ),
      expect: [refusedThoughSigned(400, 401)],
      impact: `A negative time counts as now, because the number or its difference from the clock overflows. ${SECRET_HOLDER_ONLY}`,
    },
  },
)

/** A time inside the window, in a form that the service does not send. */
export const otherNotation = requirement(
  'A receiver SHOULD refuse a delivery whose `t` is a time inside the window that is not written in digits alone, with status 400 or 401.',
  {
    impact: `The number that is checked is not the text that was signed. ${SECRET_HOLDER_ONLY}`,
    fix: STRICT_NUMBER,
  },
  {
    't-with-letters-after-digits': {
      send: mutatedThenControl(signedAt('letters after the digits of t', (now) => `${now}abc`)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-decimals': {
      send: mutatedThenControl(signedAt('a t with decimals', (now) => `${now}.0`)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-exponent': {
      send: mutatedThenControl(signedAt('a t with an exponent', (now) => `${now / 10}e1`)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-in-hexadecimal': {
      send: mutatedThenControl(signedAt('a t in hexadecimal', (now) => `0x${now.toString(16)}`)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-sign': {
      send: mutatedThenControl(signedAt('a plus sign before t', (now) => `+${now}`)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-underscores': {
      send: mutatedThenControl(signedAt('underscores in t', (now) => `${now}`.replace(/^(\d)/, '$1_'))),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-space': {
      send: mutatedThenControl(signedAt('a space before the digits of t', (now) => ` ${now}`)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-space-after': {
      send: mutatedThenControl(signedAt('a space after the digits of t', (now) => `${now} `)),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-in-full-width-digits': {
      send: mutatedThenControl(
        signedAt('t in full-width digits', (now) =>
          `${now}`.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
        ),
      ),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-with-bytes-that-decode-away': {
      send: eachThenControl(...DROPPED),
      expect: [refusedThoughSigned(400, 401)],
      impact:
        'The text that is verified is not the text that was sent, because decoding the header drops bytes.',
    },
  },
)

/** Where a fresh `t` may stand beside a stale delivery, and what may stand with it. */
const FRESH_BESIDE_STALE: readonly Mutation[] = ['in one line', 'in two lines'].flatMap((lines) =>
  ['before', 'after'].flatMap((place) =>
    [[], [`v1=${FORGED}`]].map((more) =>
      header(
        `a fresh t${more.length === 0 ? '' : ' with a wrong v1'} ${place} a stale delivery's own, ${lines}`,
        ({ now, secret, body }) => {
          const stale = now - STALE_SECONDS
          const own = `t=${stale},v1=${hmac('sha256', secret, `${stale}.`, body)}`
          const fresh = [`t=${now}`, ...more].join(',')
          const both = place === 'before' ? [fresh, own] : [own, fresh]
          return lines === 'in one line' ? both.join(',') : both
        },
      ),
    ),
  ),
)

/** Two `t` entries of which the signed one is stale. */
export const staleSignedTime = requirement(
  'A receiver MUST refuse a delivery with two `t` entries when the signed one is stale, with status 400 or 401.',
  {
    impact: 'An attacker can replay an old delivery by adding a fresh `t` to its header.',
    fix: 'Refuse a header with two `t` entries, or use the same entry for the window and for the signature.',
  },
  {
    't-twice-stale-one-signed-first': {
      send: mutatedThenControl(
        header('a stale signed t, then a fresh one', ({ now, secret, body }) => {
          const stale = now - STALE_SECONDS
          return `t=${stale},t=${now},v1=${hmac('sha256', secret, `${stale}.`, body)}`
        }),
      ),
      expect: [refused(400, 401)],
    },
    't-twice-stale-one-signed-last': {
      send: mutatedThenControl(
        header('a fresh t, then a stale signed one', ({ now, secret, body }) => {
          const stale = now - STALE_SECONDS
          return `t=${now},v1=${hmac('sha256', secret, `${stale}.`, body)},t=${stale}`
        }),
      ),
      expect: [refused(400, 401)],
    },
    'two-header-lines-stale-one-signed': {
      send: mutatedThenControl(
        header('a stale signature header and a second one with a fresh t', ({ now, secret, body }) => {
          const stale = now - STALE_SECONDS
          return [`t=${stale},v1=${hmac('sha256', secret, `${stale}.`, body)}`, `t=${now}`]
        }),
      ),
      expect: [refused(400, 401)],
    },
    't-twice-wherever-the-fresh-one-stands': {
      send: eachThenControl(...FRESH_BESIDE_STALE),
      expect: [refused(400, 401)],
    },
  },
)

/** A `t` beyond the range of clocks. */
export const hugeTime = requirement(
  'A receiver MUST refuse a delivery whose `t` is a number too large to be a valid timestamp, with status 400 or 401, even if the signature covers that exact text.',
  {
    impact:
      'The receiver crashes on the number, which anyone can send, or accepts the delivery because the number overflows, which only the holder of the secret can cause.',
    fix: STRICT_NUMBER,
    about: ['let-in', 'refused-with-server-error', 'refused-without-response'],
  },
  {
    't-of-400-digits': {
      send: mutatedThenControl(signedAt('a t of 400 digits', () => '9'.repeat(400))),
      expect: [refusedThoughSigned(400, 401)],
    },
    't-wrapped-at-64-bits': {
      send: mutatedThenControl(signedAt('t = now + 2^64', (now) => String(BigInt(now) + 2n ** 64n))),
      expect: [refusedThoughSigned(400, 401)],
    },
  },
)

/** A valid `t` in a form that the service does not send. */
export const leadingZeros = requirement(
  'A receiver MAY accept an otherwise valid `t` with leading zeros, or refuse it with status 400 or 401.',
  { ...serverError, fix: STRICT_NUMBER },
  {
    't-with-leading-zeros': {
      send: mutatedThenControl(signedAt('zeros before t', (now) => `00${now}`)),
      expect: [acceptedOrRefused(400, 401)],
      open: 'The service sends no leading zeros; the number is the same.',
    },
  },
)

/** Two `t` entries of which the signed one is fresh. */
export const freshSignedTime = requirement(
  'A receiver MAY accept a stale `t` beside the fresh one that is signed, or refuse it with status 400 or 401.',
  { ...serverError, fix: 'Answer 400 to a header with two `t` entries.' },
  {
    't-twice-fresh-one-signed-first': {
      send: mutatedThenControl(
        header(
          'a fresh signed t, then a stale one',
          ({ t, v1, now }) => `t=${t},v1=${v1},t=${now - STALE_SECONDS}`,
        ),
      ),
      expect: [acceptedOrRefused(400, 401)],
      open: 'The service sends one `t`; a receiver may read the first, the last, or neither.',
    },
    't-twice-fresh-one-signed-last': {
      send: mutatedThenControl(
        header(
          'a stale t, then a fresh signed one',
          ({ t, v1, now }) => `t=${now - STALE_SECONDS},t=${t},v1=${v1}`,
        ),
      ),
      expect: [acceptedOrRefused(400, 401)],
      open: 'The service sends one `t`; a receiver may read the first, the last, or neither.',
    },
  },
)
