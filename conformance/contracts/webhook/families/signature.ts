import { inTurn } from '../../../engine/plan.ts'
import { asControl, type Delivery } from '../delivery.ts'
import { notAccepted, refusedWith4xx } from '../expectations/unverified.ts'
import { body, forged, header, signedWith, v1 } from '../mutate.ts'
import { eachThenControl, mutated, mutatedThenControl } from '../plans.ts'
import { headerWith, type Scheme, signatureBy, signingKey } from '../scheme.ts'
import { waysAround } from './around.ts'
import { acknowledged, type Family, notAcceptedEach } from './family.ts'
import { exampleSecrets, publicPrefixes } from './secret-forms.ts'
import { CONTENT_TYPES, FIELDS, HEADERS, QUERIES, TRANSFERS } from './ways.ts'

const anyone = 'Anyone on the internet can send an event that never happened.'
const SECTION = 'signature'

/** A signature that has the right form and is of nothing. */
const zeros = ({ digest }: Scheme) => Buffer.alloc(32).toString(digest)
const otherFirst = (text: string) => `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`
const middleChanged = (text: string) => {
  const at = text.length >> 1
  return `${text.slice(0, at)}${otherFirst(text.slice(at))}`
}

/** A delivery with the signature of another one. */
const underSignatureOf = ({ signature, olderSignature }: Delivery, delivery: Delivery): Delivery => ({
  ...delivery,
  signature,
  olderSignature,
})

/** Deliveries without a signature. */
export const unsigned: Family = {
  section: SECTION,
  impact: `${anyone} No signature is needed.`,
  fix: 'Refuse a delivery whose signature header is missing, empty, or holds nothing that you can verify.',
  cases: (terms) =>
    notAcceptedEach({
      unsigned: mutatedThenControl(header('no signature header', () => [])),
      'signature-header-empty': mutatedThenControl(header('an empty signature header', () => '')),
      'signature-header-of-words': mutatedThenControl(header('words in the signature header', () => 'none')),
      ...(terms.scheme.header.label !== '' && {
        'signature-empty': mutatedThenControl(
          header('a label without a signature', ({ scheme, t }) => headerWith(scheme, t, '')),
        ),
      }),
    })(terms),
}

/** Signatures that are wrong, entirely or in part. */
export const wrong: Family = {
  section: SECTION,
  impact: anyone,
  fix: 'Compute the HMAC with the endpoint’s own secret, and compare all of it in constant time.',
  cases: notAcceptedEach({
    'another-secret': mutatedThenControl(forged),
    'signature-of-zeros': mutatedThenControl(v1('a signature of zeros', ({ scheme }) => zeros(scheme))),
    'signature-of-another-delivery': mutatedThenControl((delivery, kit) => ({
      ...underSignatureOf(kit.valid(), delivery),
      change: 'the signature of another delivery',
    })),
    'signature-seen-before': (kit) => {
      const seen = kit.valid()
      const change = 'another event under a signature that was valid'
      return inTurn(
        asControl(seen),
        { ...underSignatureOf(seen, kit.valid()), change },
        asControl(kit.valid()),
      )
    },
    'signature-cut-in-half': mutatedThenControl(
      v1('half of the signature', ({ v1: valid }) => valid.slice(0, valid.length >> 1)),
    ),
    'signature-of-one-character': mutatedThenControl(
      v1('the first character of the signature', ({ v1: valid }) => valid.slice(0, 1)),
    ),
    'signature-altered-first': mutatedThenControl(
      v1('another first character of the signature', ({ v1: valid }) => otherFirst(valid)),
    ),
    'signature-altered-in-the-middle': mutatedThenControl(
      v1('another character in the middle of the signature', ({ v1: valid }) => middleChanged(valid)),
    ),
    'signature-of-a-pattern': eachThenControl(
      ...['%', '*', '.*', '_'.repeat(64)].map((pattern) =>
        v1(`the pattern ${pattern.slice(0, 4)} as the signature`, () => pattern),
      ),
    ),
  }),
}

/** How a receiver says that it refuses: a server error asks the service to send the delivery again. */
export const refusedCleanly: Family = {
  section: SECTION,
  impact:
    'Anyone can make the receiver report a server error, and its own monitoring cannot tell a forgery from a fault.',
  fix: 'Catch every error of the verification, and answer 400 or 401.',
  cases: () => ({
    'refusals-are-4xx': {
      send: eachThenControl(
        forged,
        header('no signature header', () => []),
        header('a word in the signature header', () => 'none'),
        v1('a signature with characters that it cannot have', () => 'é,=%'),
        body('a body that is not UTF-8', (bytes) => Buffer.concat([bytes, Buffer.from([0xff])])),
      ),
      expect: [refusedWith4xx],
    },
  }),
}

/** Keys that everybody knows. */
export const knownKeys: Family = {
  section: SECTION,
  impact: 'Anyone can forge a delivery, by signing with a key that needs no knowledge of the secret.',
  fix: 'Refuse to start, or refuse every delivery, while the signing secret is missing or empty.',
  cases: notAcceptedEach({
    'empty-key': mutatedThenControl(signedWith('a signature made with an empty key', () => Buffer.alloc(0))),
    'key-of-a-missing-value': eachThenControl(
      ...['undefined', 'null', 'None', '[object Object]'].map((word) =>
        signedWith(`a signature made with the key "${word}"`, () => word),
      ),
    ),
    'key-of-an-example': (kit) =>
      eachThenControl(
        ...exampleSecrets(kit.secret).map((secret) =>
          v1(`a signature made with the secret "${secret}"`, (parts) =>
            signatureBy(parts.scheme, signingKey(parts.scheme, secret), parts),
          ),
        ),
      )(kit),
    'key-of-the-prefix': (kit) =>
      eachThenControl(
        ...publicPrefixes(kit.secret).map(({ name, key }) =>
          signedWith(`a signature made with ${name}`, () => key),
        ),
      )(kit),
  }),
}

/** Several signatures of which one is valid, as during a rotation of the secret. */
export const rotation: Family = {
  section: SECTION,
  impact: 'Deliveries are refused while a secret is rotated.',
  fix: 'Compare every signature in the header, and accept the delivery when one of them is valid.',
  cases: () => ({
    'valid-signature-first': {
      send: mutated(
        header('a wrong signature after the valid one', ({ scheme, t, v1: valid }) =>
          headerWith(scheme, t, valid, zeros(scheme)),
        ),
      ),
      expect: [acknowledged],
    },
    'valid-signature-last': {
      send: mutated(
        header('a wrong signature before the valid one', ({ scheme, t, v1: valid }) =>
          headerWith(scheme, t, zeros(scheme), valid),
        ),
      ),
      expect: [acknowledged],
    },
  }),
}

/** Several signatures of which none is valid. */
export const severalWrong: Family = {
  section: SECTION,
  impact: anyone,
  fix: 'Compare every signature in the header, and refuse the delivery when none of them is valid.',
  cases: notAcceptedEach({
    'several-wrong-signatures': mutatedThenControl(
      header('two wrong signatures', ({ scheme, t, v1: valid }) =>
        headerWith(scheme, t, zeros(scheme), otherFirst(valid)),
      ),
    ),
    'two-wrong-headers': mutatedThenControl(
      header('two signature headers, both wrong', ({ scheme, t, v1: valid }) => [
        headerWith(scheme, t, zeros(scheme)),
        headerWith(scheme, t, otherFirst(valid)),
      ]),
    ),
  }),
}

/** What else a request says about itself, which anyone can write. */
export const bypass: Family = {
  section: SECTION,
  impact: `${anyone} Something else in the request skips the check.`,
  fix: 'Verify every delivery in one place before any other decision, and let nothing else in the request skip that.',
  cases: () =>
    Object.fromEntries(
      Object.entries({
        'fields-of-tests': [...FIELDS.test, ...FIELDS.name, ...FIELDS.claims],
        'content-types': Object.values(CONTENT_TYPES).flat(),
        transfers: Object.values(TRANSFERS).flat(),
        queries: Object.values(QUERIES).flat(),
        headers: Object.values(HEADERS).flat(),
      }).map(([name, ways]) => [
        `no-way-around-by-${name}`,
        { send: waysAround(...ways), expect: [notAccepted], role: 'way-around' },
      ]),
    ),
}
