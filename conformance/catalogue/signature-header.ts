import { accepted, acceptedOrRefused, refused } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { header, hmac, type Mutation, signedAt, v1 } from '../mutate.ts'
import { inTurn, spoiled } from '../plan.ts'
import { section } from './section.ts'

const genuineWith = (mutation: Mutation) => (kit: Kit) => inTurn(mutation(kit.delivery('completed'), kit))
const forged = '0'.repeat(64)
const STALE_SECONDS = 3600

const missingPart = {
  consequence:
    'A delivery that nobody signed is taken for a payment, or the sender is told that the server is broken.',
  remedy: 'Look for both entries first and answer 400 when one is not there.',
}
const positional = {
  consequence: 'Every payment is refused on the day the service adds a second signature to the header.',
  remedy: 'Split at commas, split each entry at its first equals sign, and look `t` and `v1` up by name.',
}
const laxNumber = {
  consequence: 'What is checked against the clock is not what was signed; the window can be stepped around.',
  remedy: 'Take `t` only if it matches /^[0-9]{1,12}$/, and sign its literal text.',
}
const laxHex = {
  consequence: 'A signature that is only partly right is accepted, which makes guessing one feasible.',
  remedy: 'Compare all 64 digits in constant time, and refuse any other length.',
}
const mixedTimes = {
  consequence: 'An old delivery is replayed by writing a fresh `t` beside the signed one.',
  remedy:
    'Refuse a header with two `t` entries, or use one and the same entry for the window and for the signature.',
}

export const signatureHeader = section('signature-header', 'Signature header', {
  absent: {
    spec: 'A receiver MUST refuse a delivery without a signature header, with status 400.',
    send: spoiled(header('no signature header', () => [])),
    expect: [refused(400)],
    ...missingPart,
  },
  empty: {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    send: spoiled(header('an empty signature header', () => '')),
    expect: [refused(400)],
    ...missingPart,
  },
  'without-entries': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    send: spoiled(header('only the bare digits of the signature', ({ v1 }) => v1)),
    expect: [refused(400)],
    ...missingPart,
  },
  'bare-labels': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `label=value` entry, with status 400.',
    send: spoiled(header('labels without values', () => 't,v1')),
    expect: [refused(400)],
    ...missingPart,
  },
  't-missing': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    send: spoiled(header('no t entry', ({ v1 }) => `v1=${v1}`)),
    expect: [refused(400)],
    ...missingPart,
  },
  't-missing-and-not-signed': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    send: spoiled(
      header(
        'no t entry and a signature over the body alone',
        ({ secret, body }) => `v1=${hmac('sha256', secret, body)}`,
      ),
    ),
    expect: [refused(400)],
    ...missingPart,
  },
  't-empty': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `t` entry, or an empty one, with status 400.',
    send: spoiled(
      header(
        'an empty t, signed as such',
        ({ secret, body }) => `t=,v1=${hmac('sha256', secret, '.', body)}`,
      ),
    ),
    expect: [refused(400)],
    consequence:
      'An empty `t` becomes the number 0 or no number at all, and in some languages passes the window.',
    remedy: 'Answer 400 when the value of `t` is empty.',
  },
  'v1-missing': {
    spec: 'A receiver MUST refuse a delivery whose signature header has no `v1` entry, with status 400.',
    send: spoiled(header('no v1 entry', ({ t }) => `t=${t}`)),
    expect: [refused(400)],
    ...missingPart,
  },
  'v1-empty': {
    spec: 'A receiver MUST refuse a delivery whose `v1` entry is empty, with status 400 or 401.',
    send: spoiled(header('an empty v1', ({ t }) => `t=${t},v1=`)),
    expect: [refused(400, 401)],
    open: 'An empty entry may count as missing (400) or as wrong (401).',
    ...laxHex,
  },
  'order-swapped': {
    spec: 'A receiver MUST find `t` and `v1` by name, in whichever order they stand.',
    send: genuineWith(header('v1 before t', ({ t, v1 }) => `v1=${v1},t=${t}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-first': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label first', ({ t, v1 }) => `v2=${forged},t=${t},v1=${v1}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-between': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label between', ({ t, v1 }) => `t=${t},v0=${forged},v1=${v1}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-last': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label last', ({ t, v1 }) => `t=${t},v1=${v1},v2=${forged}`)),
    expect: [accepted],
    ...positional,
  },
  'unknown-label-with-equals-signs': {
    spec: 'A receiver MUST ignore entries with labels that it does not know.',
    send: genuineWith(header('an unknown label in base64', ({ t, v1 }) => `t=${t},v1=${v1},k=YWJjZA==`)),
    expect: [accepted],
    ...positional,
  },
  'right-signature-under-v0': {
    spec: 'A receiver MUST refuse a delivery whose right signature stands under another label than `v1`, with status 400.',
    send: spoiled(header('the signature under v0', ({ t, v1 }) => `t=${t},v0=${v1}`)),
    expect: [refused(400)],
    consequence: 'A signature of another scheme is taken for v1, so a weaker scheme can be passed off as it.',
    remedy: 'Take the signature from the entry whose label is exactly v1, and answer 400 when there is none.',
  },
  'right-signature-under-v11': {
    spec: 'A receiver MUST refuse a delivery whose right signature stands under another label than `v1`, with status 400.',
    send: spoiled(header('the signature under v11', ({ t, v1 }) => `t=${t},v11=${v1}`)),
    expect: [refused(400)],
    consequence:
      'A label is recognised by how it begins, so a weaker scheme that comes later can be passed off as v1.',
    remedy: 'Compare the whole label.',
  },
  't-with-letters-after-digits': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('letters after the digits of t', (now) => `${now}abc`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-decimals': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('a t with decimals', (now) => `${now}.0`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-exponent': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('a t with an exponent', (now) => `${now / 10}e1`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-in-hexadecimal': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('a t in hexadecimal', (now) => `0x${now.toString(16)}`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-sign': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('a plus sign before t', (now) => `+${now}`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-underscores': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('underscores in t', (now) => `${now}`.replace(/^(\d)/, '$1_'))),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-with-space': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('a space within the entry, before t', (now) => ` ${now}`)),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-in-full-width-digits': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(
      signedAt('t in full-width digits', (now) =>
        `${now}`.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
      ),
    ),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  't-not-a-number': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('the text NaN for t', () => 'NaN')),
    expect: [refused(400, 401)],
    consequence:
      'Every comparison with NaN is false, so a check of the form "refuse if too old" lets it through for ever.',
    remedy: laxNumber.remedy,
  },
  't-infinite': {
    spec: 'A receiver MUST refuse a delivery whose `t` is anything but digits, with status 400 or 401, even if the signature covers that very text.',
    send: spoiled(signedAt('the text Infinity for t', () => 'Infinity')),
    expect: [refused(400, 401)],
    ...laxNumber,
  },
  'v1-truncated': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: spoiled(v1('half of the signature', ({ v1 }) => v1.slice(0, 32))),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-of-one-digit': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: spoiled(v1('the first digit of the signature', ({ v1 }) => v1.slice(0, 1))),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-prolonged': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: spoiled(v1('two digits after the signature', ({ v1 }) => `${v1}00`)),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-not-hexadecimal': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: spoiled(v1('letters beyond f in the signature', ({ v1 }) => `${v1.slice(0, 62)}zz`)),
    expect: [refused(400, 401)],
    open: 'Text that is no hexadecimal may count as malformed (400) or as wrong (401).',
    consequence: 'Some decoders stop at the first odd letter and compare what came before.',
    remedy: laxHex.remedy,
  },
  'v1-in-base64': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: spoiled(v1('the signature in base64', ({ v1 }) => Buffer.from(v1, 'hex').toString('base64'))),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-with-one-digit-wrong': {
    spec: 'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
    send: spoiled(
      v1('the last digit changed', ({ v1 }) => `${v1.slice(0, 63)}${v1.endsWith('0') ? '1' : '0'}`),
    ),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'v1-in-upper-case': {
    spec: 'A receiver MAY accept a right `v1` in upper-case digits, or refuse it with status 400 or 401.',
    send: spoiled(v1('the signature in upper case', ({ v1 }) => v1.toUpperCase())),
    expect: [acceptedOrRefused(400, 401)],
    open: 'The service sends lower case only.',
    consequence: 'The sender is told that the server is broken.',
    remedy: 'Accept either case, or refuse this one as a wrong signature.',
  },
  't-twice-stale-one-signed-first': {
    spec: 'A receiver MUST refuse a delivery with two `t` entries when the one that is signed is stale, with status 400 or 401.',
    send: spoiled(
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
    send: spoiled(
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
    send: spoiled(
      header('a stale signature header and a second one with a fresh t', ({ now, secret, body }) => {
        const stale = now - STALE_SECONDS
        return [`t=${stale},v1=${hmac('sha256', secret, `${stale}.`, body)}`, `t=${now}`]
      }),
    ),
    expect: [refused(400, 401)],
    ...mixedTimes,
  },
  'v1-twice-right-one-first': {
    spec: 'A receiver SHOULD accept a delivery with several `v1` entries when one of them is right.',
    send: genuineWith(
      header('a wrong v1 after the right one', ({ t, v1 }) => `t=${t},v1=${v1},v1=${forged}`),
    ),
    expect: [accepted],
    consequence: 'Deliveries are lost while a signing secret is being replaced.',
    remedy: 'Compare every v1 entry and accept when one is right.',
  },
  'v1-twice-right-one-last': {
    spec: 'A receiver SHOULD accept a delivery with several `v1` entries when one of them is right.',
    send: genuineWith(
      header('a wrong v1 before the right one', ({ t, v1 }) => `t=${t},v1=${forged},v1=${v1}`),
    ),
    expect: [accepted],
    consequence: 'Deliveries are lost while a signing secret is being replaced.',
    remedy: 'Compare every v1 entry and accept when one is right.',
  },
  'v1-twice-both-wrong': {
    spec: 'A receiver MUST refuse a delivery in which no `v1` entry is right, however many there are, with status 400 or 401.',
    send: spoiled(header('two wrong v1 entries', ({ t }) => `t=${t},v1=${forged},v1=${'f'.repeat(64)}`)),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'two-header-lines-both-wrong': {
    spec: 'A receiver MUST refuse a delivery in which no `v1` entry is right, however many there are, with status 400 or 401.',
    send: spoiled(
      header('two signature headers, both wrong', ({ t }) => [
        `t=${t},v1=${forged}`,
        `t=${t},v1=${'f'.repeat(64)}`,
      ]),
    ),
    expect: [refused(400, 401)],
    ...laxHex,
  },
  'two-header-lines-one-right': {
    spec: 'A receiver MAY accept two signature headers of which one is right, or refuse them with status 400 or 401.',
    send: spoiled(
      header('a wrong signature header before the right one', ({ t, v1 }) => [
        `t=${t},v1=${forged}`,
        `t=${t},v1=${v1}`,
      ]),
    ),
    expect: [acceptedOrRefused(400, 401)],
    open: 'The service sends one header; a receiver may read either, both, or none.',
    consequence: 'The sender is told that the server is broken.',
    remedy: 'Join the lines with a comma and parse them as one, or answer 400.',
  },
})
