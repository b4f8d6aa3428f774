import { acceptedOrRefused, refused } from '../../case/expect.ts'
import { header, hmac, signedAt } from '../../case/mutate.ts'
import { mutatedThenControl } from '../../case/plan.ts'
import { cases } from '../section.ts'

const STALE_SECONDS = 3600

const laxNumber = {
  impact: 'What is checked against the clock is not what was signed; the window can be stepped around.',
  fix: 'Take `t` only if it matches /^[0-9]{1,12}$/, and sign its literal text.',
}
const mixedTimes = {
  impact: 'An old delivery is replayed by writing a fresh `t` beside the signed one.',
  fix: 'Refuse a header with two `t` entries, or use one and the same entry for the window and for the signature.',
}
const tooLarge = {
  impact: 'The number overflows: the receiver fails on it, or takes what is left of it for the present.',
  fix: laxNumber.fix,
}
const eitherTime = {
  open: 'The service sends one `t`; a reader may take the first, the last, or neither.',
  impact: 'The sender is told that the server is broken.',
  fix: 'Refuse a header with two `t` entries with 400.',
}

/** How `t` is written, and which one counts. */
export const time = cases({
  't-with-letters-after-digits': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('letters after the digits of t', (now) => `${now}abc`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-decimals': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a t with decimals', (now) => `${now}.0`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-exponent': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a t with an exponent', (now) => `${now / 10}e1`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-in-hexadecimal': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a t in hexadecimal', (now) => `0x${now.toString(16)}`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-sign': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a plus sign before t', (now) => `+${now}`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-underscores': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('underscores in t', (now) => `${now}`.replace(/^(\d)/, '$1_'))),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-space': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a space within the entry, before t', (now) => ` ${now}`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-in-full-width-digits': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(
      signedAt('t in full-width digits', (now) =>
        `${now}`.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      ),
    ),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-not-a-number': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('the text NaN for t', () => 'NaN')),
    expect: [refused(400, 401)],
    impact:
      'Every comparison with NaN is false, so a check of the form "refuse if too old" lets it through for ever.',
    fix: laxNumber.fix,
  },
  't-infinite': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('the text Infinity for t', () => 'Infinity')),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-twice-stale-one-signed-first': {
    spec: 'A receiver MUST refuse a delivery with two `t` entries when the one that is signed is stale, with status 400 or 401.',
    send: mutatedThenControl(
      header('a stale signed t, then a fresh one', ({ now, secret, body }) => {
        const stale = now - STALE_SECONDS
        return `t=${stale},t=${now},v1=${hmac('sha256', secret, `${stale}.`, body)}`
      }),
    ),
    expect: [refused(400, 401)],
    ...mixedTimes,
  },
  't-twice-stale-one-signed-last': {
    spec: 'A receiver MUST refuse a delivery with two `t` entries when the one that is signed is stale, with status 400 or 401.',
    send: mutatedThenControl(
      header('a fresh t, then a stale signed one', ({ now, secret, body }) => {
        const stale = now - STALE_SECONDS
        return `t=${now},v1=${hmac('sha256', secret, `${stale}.`, body)},t=${stale}`
      }),
    ),
    expect: [refused(400, 401)],
    ...mixedTimes,
  },
  'two-header-lines-stale-one-signed': {
    spec: 'A receiver MUST refuse a delivery with two `t` entries when the one that is signed is stale, with status 400 or 401.',
    send: mutatedThenControl(
      header('a stale signature header and a second one with a fresh t', ({ now, secret, body }) => {
        const stale = now - STALE_SECONDS
        return [`t=${stale},v1=${hmac('sha256', secret, `${stale}.`, body)}`, `t=${now}`]
      }),
    ),
    expect: [refused(400, 401)],
    ...mixedTimes,
  },
  't-twice-fresh-one-signed-first': {
    spec: 'A receiver MAY accept a stale `t` beside the fresh one that is signed, or refuse it with status 400 or 401.',
    send: mutatedThenControl(
      header(
        'a fresh signed t, then a stale one',
        ({ t, v1, now }) => `t=${t},v1=${v1},t=${now - STALE_SECONDS}`,
      ),
    ),
    expect: [acceptedOrRefused(400, 401)],
    ...eitherTime,
  },
  't-twice-fresh-one-signed-last': {
    spec: 'A receiver MAY accept a stale `t` beside the fresh one that is signed, or refuse it with status 400 or 401.',
    send: mutatedThenControl(
      header(
        'a stale t, then a fresh signed one',
        ({ t, v1, now }) => `t=${now - STALE_SECONDS},t=${t},v1=${v1}`,
      ),
    ),
    expect: [acceptedOrRefused(400, 401)],
    ...eitherTime,
  },
  't-with-minus-sign': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a minus sign before t', (now) => `-${now}`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-space-after': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a space within the entry, after t', (now) => `${now} `)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-leading-zeros': {
    spec: 'A receiver MAY accept a right `t` with leading zeros, or refuse it with status 400 or 401.',
    send: mutatedThenControl(signedAt('zeros before t', (now) => `00${now}`)),
    expect: [acceptedOrRefused(400, 401)],
    open: 'The service sends none; the number is the same.',
    impact: 'The sender is told that the server is broken.',
    fix: laxNumber.fix,
  },
  't-of-400-digits': {
    spec: 'A receiver MUST refuse a delivery whose `t` is a number too large for any clock, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(signedAt('a t of 400 digits', () => '9'.repeat(400))),
    expect: [refused(400, 401)],
    ...tooLarge,
  },
  't-wrapped-at-64-bits': {
    spec: 'A receiver MUST refuse a delivery whose `t` is a number too large for any clock, with status 400 or 401, even if the signature covers that very text.',
    send: mutatedThenControl(
      signedAt('the present plus 2 to the 64th for t', (now) => String(BigInt(now) + 2n ** 64n)),
    ),
    expect: [refused(400, 401)],
    ...tooLarge,
  },
})
