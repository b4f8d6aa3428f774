import {
  accepted,
  acceptedOrRefused,
  refused,
  refusedThoughSigned,
} from '../../../webhook/expectations/expect.ts'
import { header, type Mutation, v1 } from '../../../webhook/mutate.ts'
import { eachThenControl, mutated, mutatedThenControl } from '../../../webhook/plans.ts'
import { requirement } from '../../section.ts'
import { FORGED, partialComparison, SECRET_HOLDER_ONLY, serverError } from './common.ts'

/** The signature with everything but one region replaced by zeros, or one digit of a region replaced by another. */
const REGIONS: Readonly<Record<string, (valid: string) => string>> = {
  'another first digit': (valid) => `${otherDigit(valid[0])}${valid.slice(1)}`,
  'another digit in the middle': (valid) => `${valid.slice(0, 32)}${otherDigit(valid[32])}${valid.slice(33)}`,
  'the right first half and zeros': (valid) => valid.slice(0, 32).padEnd(64, '0'),
  'the right last half and zeros': (valid) => valid.slice(32).padStart(64, '0'),
  'the right first eight digits and zeros': (valid) => valid.slice(0, 8).padEnd(64, '0'),
  'the right last four digits and zeros': (valid) => valid.slice(-4).padStart(64, '0'),
  'the right digits at every second place': (valid) => valid.replace(/(.)./g, '$10'),
  'the right digits in another order': (valid) => Array.from(valid).toReversed().join(''),
}
const otherDigit = (digit = '') => (digit === '0' ? '1' : '0')

/** What matches any text in SQL, in regular expressions and in shells. */
const PATTERNS = ['%', '_'.repeat(64), '*', '?'.repeat(64), '.*', '.{64}', '[0-9a-f]*', '^', '|', '(?:)']

/** A valid signature with something around it. */
const DECORATED: Readonly<Record<string, (valid: string) => string>> = {
  'one digit after the signature': (valid) => `${valid}0`,
  'one digit before the signature': (valid) => `0${valid}`,
  '0x before the signature': (valid) => `0x${valid}`,
  'sha256= before the signature': (valid) => `sha256=${valid}`,
  'quotation marks around the signature': (valid) => `"${valid}"`,
  'a percent escape in the signature': (valid) => `%${valid.charCodeAt(0).toString(16)}${valid.slice(1)}`,
}

/** Of the lowest four bits of a letter and nine, some decoders make a digit: these letters are 0 to f. */
const letterFor = (digit: string) => String.fromCharCode('g'.charCodeAt(0) + Number.parseInt(digit, 16))
/** At the distance from 0 that a to f have as numbers; `=` would end the entry. */
const PUNCTUATION: Readonly<Record<string, string>> = { a: ':', b: ';', c: '<', e: '>', f: '?' }
const eachPair = (valid: string, write: (pair: string) => string) =>
  valid.replace(/../g, (pair) => (pair.startsWith('0') ? write(pair) : pair))

/** A signature whose digits only a lenient decoder takes for the right ones. */
const LENIENT: Readonly<Record<string, (valid: string) => string>> = {
  'letters from g to v for all digits': (valid) => valid.replace(/./g, letterFor),
  'letters from q to v for a to f': (valid) => valid.replace(/[a-f]/g, letterFor),
  'punctuation for a to f': (valid) => valid.replace(/[a-cef]/g, (digit) => PUNCTUATION[digit] ?? digit),
  'the letter z for each zero': (valid) => valid.replaceAll('0', 'z'),
  'pairs that end after one digit': (valid) => eachPair(valid, (pair) => `${pair[1]}z`),
  'pairs with a space for a zero': (valid) => eachPair(valid, (pair) => ` ${pair[1]}`),
  'pairs with a plus sign for a zero': (valid) => eachPair(valid, (pair) => `+${pair[1]}`),
  'spaces between all pairs': (valid) => valid.replace(/..(?!$)/g, '$& '),
  'colons between all pairs': (valid) => valid.replace(/..(?!$)/g, '$&:'),
  'hyphens between all pairs': (valid) => valid.replace(/..(?!$)/g, '$&-'),
}

/** How far back a `t` is looked for whose signature has what is to be replaced, in seconds: nearly every one has. */
const LOOKED_FOR_SECONDS = 60

/** Signs at the latest time at which the signature has something to replace. */
const lenient =
  ([change, write]: readonly [string, (valid: string) => string]): Mutation =>
  (delivery, kit) => {
    for (let ago = 0; ago < LOOKED_FOR_SECONDS; ago += 1) {
      const signed = kit.redelivery(delivery, { t: kit.now() - ago })
      const written = write(signed.signed.v1)
      if (written !== signed.signed.v1) return v1(change, () => written)(signed, kit)
    }
    return v1(change, () => FORGED)(delivery, kit)
  }

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
    'v1-of-lenient-digits': {
      send: eachThenControl(...Object.entries(LENIENT).map(lenient)),
      expect: [refusedThoughSigned(400, 401)],
      ...otherForm,
      fix: 'Compare the text of v1 with the expected digits in constant time; if you decode it, check first that it is 64 digits from 0 to 9 and a to f.',
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
    'v1-right-in-part': {
      send: eachThenControl(
        ...Object.entries(REGIONS).map(([change, write]) => v1(change, ({ v1: valid }) => write(valid))),
      ),
      expect: [refused(400, 401)],
    },
    'v1-of-a-pattern': {
      send: eachThenControl(
        ...PATTERNS.map((pattern) => v1(`the pattern ${pattern.slice(0, 10)} as v1`, () => pattern)),
      ),
      expect: [refused(400, 401)],
      impact:
        'Anyone can forge a delivery, because the signature is matched as a pattern and a pattern matches any text.',
      fix: 'Compare the text of v1 with the expected digits in constant time; never use it in LIKE, a regular expression or a glob.',
    },
    'v1-with-text-around': {
      send: eachThenControl(
        ...Object.entries(DECORATED).map(([change, write]) => v1(change, ({ v1: valid }) => write(valid))),
      ),
      expect: [refusedThoughSigned(400, 401)],
      ...otherForm,
    },
  },
)

/** A `v1` that continues after a second equals sign. */
export const secondEqualsSign = requirement(
  'A receiver SHOULD refuse a `v1` entry with a second equals sign, with status 400 or 401.',
  {
    impact: `The text that is compared is not the text that was sent. ${SECRET_HOLDER_ONLY}`,
    fix: 'Split each entry at its first equals sign only, and compare all that follows it.',
  },
  {
    'v1-with-an-equals-sign-after': {
      send: mutatedThenControl(v1('=x after the signature', ({ v1: valid }) => `${valid}=x`)),
      expect: [refusedThoughSigned(400, 401)],
    },
  },
)

/** What a sender without the secret may write beside a forged `v1`, so that nobody checks it. */
const SWITCHES = [
  'v2=1',
  'v0=1',
  'alg=none',
  'algorithm=none',
  'scheme=none',
  'kid=none',
  'verified=true',
  'verify=false',
  'test=true',
  'livemode=false',
]
/** Labels that a receiver may take for v1, and names that every JavaScript object has. */
const LABELS = ['V1', 'v1 ', 'v01', 'constructor', 'toString', '__proto__', 'hasOwnProperty', 'length']

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
      'v1-wrong-beside-other-entries': {
        role: 'way-around',
        send: eachThenControl(
          ...SWITCHES.flatMap((entry) => [
            header(`${entry} after a wrong v1`, ({ t }) => `t=${t},v1=${FORGED},${entry}`),
            header(`${entry} before a wrong v1`, ({ t }) => `${entry},t=${t},v1=${FORGED}`),
          ]),
        ),
        expect: [refused(400, 401)],
        impact: 'Anyone can forge a delivery by adding an entry to the header that turns the check off.',
        fix: 'Use only the entries named t and v1, and answer 401 when no v1 is right, whatever else the header says.',
      },
      'wrong-under-other-labels': {
        role: 'way-around',
        send: eachThenControl(
          ...LABELS.map((label) =>
            header(`the label ${label} instead of v1`, ({ t }) => `t=${t},${label}=${FORGED}`),
          ),
          header('semicolons between the entries', ({ t }) => `t=${t};v1=${FORGED}`),
          header('__proto__ instead of t', ({ t }) => `__proto__=${t},v1=${FORGED}`),
        ),
        expect: [refused(400, 401)],
        impact:
          'Anyone can forge a delivery, because a label that is not v1 is taken for it or ends in an error.',
        fix: 'Compare entire labels, and keep the entries in a Map or a list, not in an object with inherited names.',
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
