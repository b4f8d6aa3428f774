import { EXAMPLE_SECRETS } from '../../contracts/webhook/families/secret-forms.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Hypothesis, testAll, verifyingFor } from '../hypothesis.ts'
import { type Bytes, type OtherFunction, utf8 } from '../mistakes/form.ts'
import { keyBytes, secretFormsOf } from '../mistakes/secrets.ts'
import { OTHER_FUNCTIONS, type SignedText, signedTextsOf } from '../mistakes/signed-texts.ts'
import { knownIn, remembered } from '../remember.ts'
import type { Said } from '../statement.ts'
import type { Symptoms, Trial } from '../symptoms.ts'
import { correctOf, labeled, lengthOf, type Terms } from '../verifier.ts'
import { effectsWithoutSignature, forgedHaveEffects } from './forgeries.ts'

const nothingVerified: Said = { code: 'no_verification', data: {} }

/** Servers limit the size of a body at about this size, or above it. */
const USUAL_BYTES = 64 * 1024

/** A missing secret, and what languages make of it. */
const NO_SECRETS = ['', 'undefined', 'null', 'None', 'nil', '[object Object]', 'false', 'whsec_', 'whsec']

/** Another method, path or size than usual may not even reach the code that verifies. */
const isUsual = ({ delivery: { method, route, body, transport } }: Trial) =>
  method === 'POST' && route === undefined && transport === undefined && body.length <= USUAL_BYTES

/** The ways to verify nothing, or only whether a signature can be decoded. */
const nothingVerifying = remembered((terms: Terms) => {
  const verifying = verifyingFor(terms)
  const { scheme } = terms
  const isSomething = (_: string, given: string) => given !== ''
  const digits = scheme.digest === 'hex' ? '[0-9a-f]' : '[A-Za-z0-9+/=]'
  const asLong = `^${digits}{${lengthOf(scheme)}}$`
  const ofDigits = new RegExp(asLong, 'i')
  const decodable = new RegExp(`^(${digits}${scheme.digest === 'hex' ? '{2}' : '{4}'})+$`, 'i')
  const always: readonly Hypothesis[] = [
    // It takes whatever arrives.
    { ...nothingVerified, accepts: () => true },
    { ...nothingVerified, accepts: (trial) => (isUsual(trial) ? true : undefined) },
    { ...nothingVerified, accepts: ({ correct }) => (correct === 'stale' ? undefined : true) },
    verifying(nothingVerified, { same: () => true }),
    verifying(nothingVerified, { same: () => true, inWindow: () => true }),
    verifying(nothingVerified, { same: isSomething }),
    verifying(nothingVerified, { same: (expected, given) => given.length === expected.length }),
  ]
  // A result that is not awaited is true for whatever can be decoded.
  const decodingOnly = [decodable, ofDigits, new RegExp(asLong)].map((pattern) =>
    verifying(nothingVerified, { same: (_, given) => pattern.test(given) }),
  )
  /** Whether a signature has the right length and cannot be decoded. */
  const isUndecodable = (given: string) =>
    given.length === lengthOf(scheme) && /^[\x20-\x7e]*$/.test(given) && !ofDigits.test(given)
  return { always, decodingOnly, isUndecodable }
})

/** Whether the signature header has more than one line, time or signature: receivers that verify nothing read that in many ways. */
function hasSeveral({ delivery: { signature, signed } }: Trial): boolean {
  const { header } = signed.scheme
  const labels = [header.time, header.label].filter((label) => label !== undefined && label !== '')
  return labels.some((label = '') => labeled(signature.join(header.separator), header, label).length > 1)
}

/** What such a header says depends on the receiver's language, so that no hypothesis predicts anything. */
const BEYOND_ASCII = /[^\0-\x7f]/

export const signatureHypotheses = remembered((terms: Terms): readonly Hypothesis[] => {
  const { scheme } = terms
  const verifying = verifyingFor(terms)
  const { keys, messages } = correctOf(terms)
  const alsoKey = (said: Said, make: (secret: string) => Bytes | undefined) => {
    const made = new Map<string, readonly Bytes[]>()
    const both = (secret: string) => [...keys(secret), make(secret)].filter((key) => key !== undefined)
    return verifying(said, { keys: (secret) => knownIn(made, secret, () => both(secret)) })
  }
  const alsoText = (said: Said, text: SignedText['text']) =>
    verifying(said, { messages: (t, body, id) => [...messages(t, body, id), text(t, body, id)] })
  const otherFunctions = (...hashes: OtherFunction['hash'][]) =>
    verifying({ code: 'other_function_accepted', data: { hashes } }, { hashes: ['sha256', ...hashes] })
  return [
    ...NO_SECRETS.map((key) =>
      alsoKey({ code: 'key_guessable', data: { key, isOnly: false } }, () => utf8(key)),
    ),
    ...EXAMPLE_SECRETS.map((key) =>
      alsoKey({ code: 'key_guessable', data: { key, isOnly: false, isExample: true } }, () =>
        keyBytes(scheme.key, key),
      ),
    ),
    ...secretFormsOf(scheme.key).flatMap((one) =>
      'isUsed' in one
        ? alsoKey({ code: 'secret_changed', data: { form: one.code, isOnly: false } }, one.make)
        : [],
    ),
    ...signedTextsOf(scheme.signed).flatMap(({ code, about, text }) =>
      about === undefined
        ? alsoText({ code: 'signed_text_differs', data: { text: code, isOnly: false } }, text)
        : [],
    ),
    ...OTHER_FUNCTIONS.map(({ hash }) => otherFunctions(hash)),
    otherFunctions('sha1', 'md5', 'sha512'),
  ]
})

/** Signatures that nobody with the secret made are accepted (SPEC.md 5). */
export const signatureCauses: Recognize = (symptoms) => [
  ...noVerification(symptoms),
  ...testAll(signatureHypotheses(symptoms.service), symptoms).map((cause) => orEmptyBody(cause, symptoms)),
]

/** A signature over t alone is that of an empty body, so what accepts it may be known by its cause. */
function orEmptyBody(cause: Candidate, { given }: Symptoms): Candidate {
  const { data, ...found } = cause
  const isOfT =
    found.code === 'signed_text_differs' && data !== undefined && 'text' in data && data.text === 't_alone'
  const isKnown = given.some(({ code }) => code === 'body_already_read')
  return isOfT && isKnown ? { ...found, code: 'body_already_read', data: {} } : cause
}

/** The ways to verify nothing; none when forged deliveries have no effects: they are refused, but not in the response. */
export function verifyingNothing(symptoms: Symptoms): Hypothesis[] {
  const haveEffects = forgedHaveEffects(symptoms)
  if (haveEffects === false || symptoms.probed.includes('connection_trusted')) return []
  // A receiver that refuses later does not say so in the response, and only effects show it.
  const said: Said = { code: 'no_verification', data: { isUnobserved: haveEffects !== true } }
  const { always, decodingOnly, isUndecodable } = nothingVerifying(symptoms.service)
  const { header } = symptoms.service.scheme
  const acceptsUndecodable = symptoms.trials.some(
    ({ accepted, delivery }) =>
      accepted === true && labeled(delivery.signature.join(','), header, header.label).some(isUndecodable),
  )
  const hypotheses = acceptsUndecodable ? always : [...always, ...decodingOnly]
  const also = { parsesFirst: true, mayRefuse: hasSeveral } as const
  return hypotheses.map((hypothesis) => ({ ...hypothesis, ...said, ...also }) as Hypothesis)
}

function noVerification(symptoms: Symptoms): Candidate[] {
  return testAll(verifyingNothing(symptoms), symptoms).map((cause) => alsoUnsigned(cause, symptoms))
}

/**
 * Where nothing is verified, every effect of an unsigned delivery follows, and that forgeries are accepted of which no
 * hypothesis predicts anything: with bytes outside ASCII, with two times or signatures, or sent in an unusual way.
 */
export function alsoUnsigned(cause: Candidate, symptoms: Symptoms): Candidate {
  if (cause.code !== nothingVerified.code) return cause
  const others = symptoms.trials.filter(
    (trial) =>
      trial.shouldAccept === false &&
      trial.accepted === true &&
      (!isUsual(trial) || hasSeveral(trial) || BEYOND_ASCII.test(trial.delivery.signature.join(','))),
  )
  const also = [...effectsWithoutSignature(symptoms), ...others.map(({ verdict }) => verdict)]
  return { ...cause, also: new Set([...(cause.also ?? []), ...also]) }
}
