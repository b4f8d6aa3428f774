import { answeredBelow500, refusedWithin } from '../../../webhook/expectations/expect.ts'
import { refusedOrClosed, refusedWith4xx } from '../../../webhook/expectations/unverified.ts'
import type { Guidance, Plan } from '../../../webhook/model.ts'
import { header, type Mutation, type Parts } from '../../../webhook/mutate.ts'
import { eachThenControl } from '../../../webhook/plans.ts'
import type { Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { FORGED, SECRET_HOLDER_ONLY } from './common.ts'

/** Long enough for every limit on the length of a number, and below the usual limit on a header line, 8 KiB. */
const LONG = 7_000
/** In Latin-1 these are 64 bytes; in UTF-8 they are 64 characters. */
const ACCENTS = '\u00e9'.repeat(64)

const fragile = {
  impact:
    'Anyone on the internet can make the server fail or stop with one unsigned request, because it cannot handle the bytes of the header.',
  fix: 'Check that `t` is 1 to 12 ASCII digits and `v1` is 64 ASCII hexadecimal digits before you compare them, and answer 400 to anything else. Compare buffers of equal byte length.',
  about: ['refused-with-server-error', 'refused-without-response'],
} satisfies Guidance

/** Writes each character of the header as one byte, instead of in UTF-8. */
export const latin1 =
  (mutation: Mutation): Mutation =>
  (delivery, kit) => ({ ...mutation(delivery, kit), signatureEncoding: 'latin1' })

/** Sends the header even with bytes that HTTP forbids. */
const asBytes =
  (mutation: Mutation): Mutation =>
  (delivery, kit) => ({
    ...mutation(delivery, kit),
    signatureEncoding: 'latin1',
    transport: { kind: 'raw', version: '1.1' },
  })

/** The same header in both encodings. */
const inBoth =
  (change: string, write: (parts: Parts) => string) =>
  (kit: Kit): Plan =>
    eachThenControl(latin1(header(`${change}, in Latin-1`, write)), header(`${change}, in UTF-8`, write))(kit)

/** Headers that HTTP allows and that a receiver may be unable to handle. */
export const unusualBytes = [
  requirement(
    'A receiver MUST refuse a delivery whose `t` or `v1` contains bytes outside ASCII, with a status from 400 to 499.',
    fragile,
    {
      'v1-beyond-ascii': {
        send: eachThenControl(
          latin1(header('64 bytes outside ASCII as v1', ({ t }) => `t=${t},v1=${ACCENTS}`)),
          header('64 characters outside ASCII as v1', ({ t }) => `t=${t},v1=${ACCENTS}`),
          header('32 characters of two bytes each as v1', ({ t }) => `t=${t},v1=${ACCENTS.slice(0, 32)}`),
          latin1(
            header(
              'a v1 whose last byte is outside ASCII',
              ({ t, v1 }) => `t=${t},v1=${v1.slice(0, 63)}\u00e9`,
            ),
          ),
        ),
        expect: [refusedWith4xx],
      },
      'v1-in-full-width-digits': {
        send: eachThenControl(
          header(
            'the signature in full-width digits',
            ({ t, v1 }) =>
              `t=${t},v1=${v1.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))}`,
          ),
        ),
        expect: [refusedWithin(400, 499)],
        impact: `A signature counts in a form that the service does not send. ${SECRET_HOLDER_ONLY}`,
      },
      't-beyond-ascii': {
        send: eachThenControl(
          // A superscript is a digit to some functions and no number to others. The signature is forged, because to a
          // receiver that reads and signs only the leading digits, the first of these is harmless.
          latin1(header('a superscript two after t', ({ t }) => `t=${t}\u00b2,v1=${FORGED}`)),
          header('superscript digits as t', ({ v1 }) => `t=${'\u00b2'.repeat(10)},v1=${v1}`),
          latin1(header('an accented letter as t', ({ v1 }) => `t=\u00e9,v1=${v1}`)),
        ),
        expect: [refusedWith4xx],
      },
    },
  ),
  requirement(
    'A receiver MUST answer a signature header that has bytes outside ASCII in a label or in an unknown entry with a status below 500.',
    fragile,
    {
      'label-beyond-ascii': {
        send: inBoth('a label outside ASCII', ({ t, v1 }) => `t=${t},v1=${v1},\u00e9=1`),
        expect: [answeredBelow500],
      },
      'unknown-entry-beyond-ascii': {
        send: inBoth('an unknown entry outside ASCII', ({ t, v1 }) => `t=${t},v1=${v1},x=\u00e9\u00ff`),
        expect: [answeredBelow500],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery whose signature header contains a NUL byte, with a status from 400 to 499 or by closing the connection.',
    fragile,
    {
      // All of these are forged as well: a server may replace NUL by a space, and a receiver may ignore spaces.
      'nul-in-v1': {
        send: eachThenControl(
          asBytes(header('64 NUL bytes as v1', ({ t }) => `t=${t},v1=${'\0'.repeat(64)}`)),
          asBytes(header('a NUL byte before wrong digits', ({ t }) => `t=${t},v1=\0${FORGED.slice(1)}`)),
          asBytes(
            header('a NUL byte after half of the signature', ({ t, v1 }) => `t=${t},v1=${v1.slice(0, 32)}\0`),
          ),
        ),
        expect: [refusedOrClosed],
      },
      'nul-in-t-and-labels': {
        send: eachThenControl(
          asBytes(header('a NUL byte after t', ({ t }) => `t=${t}\0,v1=${FORGED}`)),
          asBytes(header('a NUL byte in a label', ({ t }) => `t=${t},v1\0=${FORGED}`)),
        ),
        expect: [refusedOrClosed],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery whose `t` or `v1` has thousands of characters, with a status from 400 to 499 or by closing the connection.',
    fragile,
    {
      'v1-very-long': {
        send: eachThenControl(header(`a v1 of ${LONG} digits`, ({ t }) => `t=${t},v1=${'0'.repeat(LONG)}`)),
        expect: [refusedOrClosed],
      },
      't-very-long': {
        send: eachThenControl(header(`a t of ${LONG} digits`, ({ v1 }) => `t=${'1'.repeat(LONG)},v1=${v1}`)),
        expect: [refusedOrClosed],
      },
    },
  ),
] as const
