import { inOrder, inTurn, together } from '../../../../engine/plan.ts'
import { asControl } from '../../../webhook/delivery.ts'
import { refused, refusedThoughSigned } from '../../../webhook/expectations/expect.ts'
import {
  type DerivedKey,
  decodedFrom,
  exampleSecrets,
  keysInside,
  otherFormsOf,
  publicPrefixes,
} from '../../../webhook/families/secret-forms.ts'
import { FIELDS, NOT_LIVE } from '../../../webhook/families/ways.ts'
import {
  amountAltered,
  forged,
  header,
  type Mutation,
  signedAt,
  signedWith,
  v1,
} from '../../../webhook/mutate.ts'
import { eachThenControl, mutatedThenControl } from '../../../webhook/plans.ts'
import { nothingHandled } from '../../expectations/effects.ts'
import type { Kit } from '../../kit.ts'
import { requirement, section } from '../../section.ts'
import { SECRET_HOLDER_ONLY } from '../signature-header/common.ts'
import { signedByFunction, signedBytes } from './signed-bytes.ts'

/** The refused delivery and its control are of different payments, so that an effect shows which one caused it. */
const besideAnotherPayment = (mutation: Mutation) => (kit: Kit) =>
  inTurn(mutation(kit.delivery('completed'), kit), asControl(kit.delivery('completed')))

/** Signs with each key that a receiver may wrongly derive from its secret. */
const signedWithEach = (keysOf: (secret: string) => readonly DerivedKey[]) => (kit: Kit) =>
  eachThenControl(
    ...keysOf(kit.secret)
      .filter(({ key }) => key !== kit.secret)
      .map(({ name, key }) => signedWith(`a signature made with ${name}`, () => key)),
  )(kit)

/** What may make a receiver choose another secret, which may not be configured. */
const SAYING_TEST = [...FIELDS.test, ...FIELDS.claims, ...NOT_LIVE.slice(0, 2)]
const withEmptyKey =
  (way: Mutation): Mutation =>
  (delivery, kit) => {
    const changed = way(delivery, kit)
    const change = `${changed.change ?? 'a delivery'}, signed with an empty key`
    return signedWith(change, () => '')(changed, kit)
  }

const otherKey = {
  impact: `The receiver derives its key differently from the service. ${SECRET_HOLDER_ONLY}`,
  fix: 'Use the entire secret, prefix included, as UTF-8 bytes.',
}
export const refusals = section(
  'refusals',
  'Refusals',
  requirement(
    'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    {
      impact: 'Anyone on the internet can report a payment that was never made.',
      fix: 'Compute the HMAC with the endpoint’s own secret, and answer 401 when it differs.',
    },
    {
      'another-secret': { send: mutatedThenControl(forged), expect: [refused(401)] },
      'secret-with-one-letter-changed': {
        send: mutatedThenControl(
          signedWith(
            'a signature made with a secret whose last letter differs',
            (secret) => `${secret.slice(0, -1)}${secret.endsWith('~') ? '!' : '~'}`,
          ),
        ),
        expect: [refused(401)],
      },
      'secret-with-line-break': {
        send: mutatedThenControl(
          signedWith('a signature made with the secret and a line break', (secret) => `${secret}\n`),
        ),
        expect: [refusedThoughSigned(401)],
        ...otherKey,
      },
      'signature-of-another-delivery': {
        send: mutatedThenControl((delivery, kit) => ({
          ...delivery,
          change: 'the signature of another delivery',
          signature: kit.valid().signature,
        })),
        expect: [refused(401)],
      },
      'secrets-of-examples': {
        send: (kit) =>
          eachThenControl(
            ...exampleSecrets(kit.secret).map((secret) =>
              signedWith(`a signature made with the secret "${secret}"`, () => secret),
            ),
          )(kit),
        expect: [refused(401)],
        impact:
          'Anyone can forge a delivery, because a secret from an example or a test is accepted beside the own one.',
        fix: 'Accept the secret from the configuration alone, and refuse to start without one.',
      },
      'signature-of-zeros': {
        send: mutatedThenControl(v1('a signature of zeros', () => '0'.repeat(64))),
        expect: [refused(401)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery signed with an empty key, with status 401.',
    {
      impact: 'Anyone can forge a delivery by signing with an empty key when the secret is not configured.',
      fix: 'Refuse to start without a signing secret.',
    },
    {
      'empty-key': {
        send: mutatedThenControl(signedWith('a signature made with an empty key', () => '')),
        expect: [refused(401)],
      },
      'empty-key-for-tests': {
        role: 'way-around',
        send: eachThenControl(...SAYING_TEST.map(withEmptyKey)),
        expect: [refused(401)],
        impact:
          'Anyone can forge a delivery that says that it is a test, because tests have no secret of their own.',
        fix: 'Choose the secret by the endpoint, never by what a delivery says before it is verified, and refuse to start without one.',
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a delivery signed with the text form of a missing value, such as `undefined` or `None`, with status 401.',
    {
      impact:
        'Anyone can forge a delivery by signing with this well-known word when the secret is not configured.',
      fix: 'Refuse to start without a signing secret.',
    },
    {
      'key-undefined': {
        send: mutatedThenControl(signedWith('a signature made with the key "undefined"', () => 'undefined')),
        expect: [refused(401)],
      },
      'key-null': {
        send: mutatedThenControl(signedWith('a signature made with the key "null"', () => 'null')),
        expect: [refused(401)],
      },
      'key-none': {
        send: mutatedThenControl(signedWith('a signature made with the key "None"', () => 'None')),
        expect: [refused(401)],
      },
      'key-object': {
        send: mutatedThenControl(
          signedWith('a signature made with the key "[object Object]"', () => '[object Object]'),
        ),
        expect: [refused(401)],
      },
    },
  ),
  requirement(
    'A receiver MUST use the entire signing secret as the key, and refuse a signature made with a part or a decoded form of it, with status 401.',
    otherKey,
    {
      'secret-without-prefix': { send: signedWithEach(keysInside), expect: [refusedThoughSigned(401)] },
      'secret-decoded': { send: signedWithEach(decodedFrom), expect: [refusedThoughSigned(401)] },
      'prefix-of-the-secret': {
        send: signedWithEach(publicPrefixes),
        expect: [refused(401)],
        impact: 'Anyone can forge a delivery, because the key is the prefix that all secrets have.',
      },
    },
  ),
  signedBytes,
  signedByFunction,
  requirement(
    'A refused delivery MUST have no effect.',
    {
      impact: 'An attacker can have goods shipped by a delivery that should have been refused.',
      fix: 'Check the signature and the time before you do anything with the body.',
    },
    {
      'forged-has-no-effect': {
        needs: 'effects',
        send: besideAnotherPayment(forged),
        expect: [refused(401), nothingHandled],
      },
      'forged-among-valid-ones-has-no-effect': {
        needs: 'effects',
        alone: true,
        send: (kit) =>
          inOrder(
            // What is kept outside the request is that of the last to arrive: one that is forged, then one that is valid.
            ...Array.from({ length: 4 }, (_, round) =>
              together(
                ...Array.from({ length: 10 }, () => {
                  const pair = [forged(kit.delivery('completed'), kit), asControl(kit.delivery('completed'))]
                  return round % 2 === 0 ? pair.toReversed() : pair
                }).flat(),
              ),
            ),
          ),
        expect: [refused(401), nothingHandled],
        impact:
          'Anyone can have a payment credited that was never made, by sending it while valid ones arrive.',
        fix: 'Keep the body and the event in variables local to the request, and handle exactly the bytes that were verified.',
      },
      'altered-has-no-effect': {
        needs: 'effects',
        send: besideAnotherPayment(amountAltered),
        expect: [refused(401), nothingHandled],
      },
      'stale-has-no-effect': {
        needs: 'effects',
        send: besideAnotherPayment(signedAt('t an hour ago', (now) => now - 3600)),
        expect: [refused(400), nothingHandled],
      },
      'unsigned-has-no-effect': {
        needs: 'effects',
        send: besideAnotherPayment(header('no signature header', () => [])),
        expect: [refused(400), nothingHandled],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a signature made with any other form of the signing secret, such as its uppercase or its hash, with status 401.',
    otherKey,
    { 'secret-in-another-form': { send: signedWithEach(otherFormsOf), expect: [refusedThoughSigned(401)] } },
  ),
)
