import {
  accepted,
  acceptedOrRefused,
  refused,
  refusedThoughSigned,
} from '../../../webhook/expectations/expect.ts'
import { header, v1 } from '../../../webhook/mutate.ts'
import { mutated, mutatedThenControl } from '../../../webhook/plans.ts'
import { requirement } from '../../section.ts'
import { FORGED, partialComparison, SECRET_HOLDER_ONLY, serverError } from './common.ts'

const otherForm = {
  impact: `A signature counts in a form that the service does not send. ${SECRET_HOLDER_ONLY}`,
}

/** A `v1` without a value. */
export const emptySignature = requirement(
  'A receiver MUST refuse a delivery whose `v1` entry is empty, with status 400 or 401.',
  partialComparison,
  {
    'v1-empty': {
      send: mutatedThenControl(header('an empty v1', ({ t }) => `t=${t},v1=`)),
      expect: [refused(400, 401)],
      open: 'An empty entry may count as missing (400) or as wrong (401).',
    },
  },
)

/** A `v1` that is not the expected signature. */
export const wrongSignature = requirement(
  'A receiver MUST refuse a delivery whose `v1` is not the 64 hexadecimal digits of the expected signature, with status 400 or 401.',
  partialComparison,
  {
    'v1-truncated': {
      send: mutatedThenControl(v1('half of the signature', ({ v1 }) => v1.slice(0, 32))),
      expect: [refused(400, 401)],
    },
    'v1-of-one-digit': {
      send: mutatedThenControl(v1('the first digit of the signature', ({ v1 }) => v1.slice(0, 1))),
      expect: [refused(400, 401)],
    },
    'v1-too-long': {
      send: mutatedThenControl(v1('two digits after the signature', ({ v1 }) => `${v1}00`)),
      expect: [refusedThoughSigned(400, 401)],
      ...otherForm,
    },
    'v1-not-hexadecimal': {
      send: mutatedThenControl(v1('letters beyond f in the signature', ({ v1 }) => `${v1.slice(0, 62)}zz`)),
      expect: [refused(400, 401)],
      open: 'Text that is not hexadecimal may count as malformed (400) or as wrong (401).',
      impact:
        'An attacker can shorten the signature, because some decoders stop at the first invalid character.',
    },
    'v1-in-base64': {
      send: mutatedThenControl(
        v1('the signature in base64', ({ v1 }) => Buffer.from(v1, 'hex').toString('base64')),
      ),
      expect: [refusedThoughSigned(400, 401)],
      ...otherForm,
    },
    'v1-with-one-digit-wrong': {
      send: mutatedThenControl(
        v1('the last digit changed', ({ v1 }) => `${v1.slice(0, 63)}${v1.endsWith('0') ? '1' : '0'}`),
      ),
      expect: [refused(400, 401)],
    },
  },
)

/** How several `v1` entries are read. */
export const severalSignatures = [
  requirement(
    'A receiver SHOULD accept a delivery with several `v1` entries when one of them is valid.',
    {
      impact: 'Deliveries are lost during secret rotation.',
      fix: 'Compare every v1 entry, and accept the delivery when one of them is valid.',
    },
    {
      'v1-twice-valid-one-first': {
        send: mutated(
          header('a wrong v1 after the valid one', ({ t, v1 }) => `t=${t},v1=${v1},v1=${FORGED}`),
        ),
        expect: [accepted],
      },
      'v1-twice-valid-one-last': {
        send: mutated(
          header('a wrong v1 before the valid one', ({ t, v1 }) => `t=${t},v1=${FORGED},v1=${v1}`),
        ),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery in which no `v1` entry is valid, regardless of how many there are, with status 400 or 401.',
    {
      impact: 'An attacker can forge a delivery by sending several wrong signatures.',
      fix: 'Compare every v1 entry, and answer 401 when none of them is valid.',
    },
    {
      'v1-twice-both-wrong': {
        send: mutatedThenControl(
          header('two wrong v1 entries', ({ t }) => `t=${t},v1=${FORGED},v1=${'f'.repeat(64)}`),
        ),
        expect: [refused(400, 401)],
      },
      'two-header-lines-both-wrong': {
        send: mutatedThenControl(
          header('two signature headers, both wrong', ({ t }) => [
            `t=${t},v1=${FORGED}`,
            `t=${t},v1=${'f'.repeat(64)}`,
          ]),
        ),
        expect: [refused(400, 401)],
      },
    },
  ),
] as const

/** Forms of a valid signature that the service does not send. */
export const unusualSignatures = [
  requirement(
    'A receiver MAY accept a valid `v1` in uppercase hex, or refuse it with status 400 or 401.',
    { ...serverError, fix: 'Accept either case, or refuse uppercase digits as a wrong signature.' },
    {
      'v1-in-upper-case': {
        send: mutatedThenControl(v1('the signature in uppercase', ({ v1 }) => v1.toUpperCase())),
        expect: [acceptedOrRefused(400, 401)],
        open: 'The service sends lowercase only.',
      },
    },
  ),
  requirement(
    'A receiver MAY accept two signature headers of which one is valid, or refuse them with status 400 or 401.',
    { ...serverError, fix: 'Join the lines with a comma and parse them as one, or answer 400.' },
    {
      'two-header-lines-one-valid': {
        send: mutatedThenControl(
          header('a wrong signature header before the valid one', ({ t, v1 }) => [
            `t=${t},v1=${FORGED}`,
            `t=${t},v1=${v1}`,
          ]),
        ),
        expect: [acceptedOrRefused(400, 401)],
        open: 'The service sends one header; a receiver may read either, both, or none.',
      },
    },
  ),
] as const
