import { EXAMPLE_SECRETS } from '../../contracts/webhook/families/secret-forms.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Hypothesis, testAll, verifying } from '../hypothesis.ts'
import { type Bytes, type OtherFunction, utf8 } from '../mistakes/form.ts'
import { SECRETS } from '../mistakes/secrets.ts'
import { OTHER_FUNCTIONS, SIGNED_TEXTS, type SignedText } from '../mistakes/signed-texts.ts'
import type { Said } from '../statement.ts'
import type { Symptoms, Trial } from '../symptoms.ts'
import { CORRECT, signedText, type Verifier } from '../verifier.ts'
import { effectsWithoutSignature, forgedHaveEffects } from './forgeries.ts'

const nothingVerified: Said = { code: 'no_verification', data: {} }

const alsoKey = (said: Said, make: (secret: string) => Bytes | undefined) =>
  verifying(said, {
    keys: (secret) => [utf8(secret), make(secret)].filter((key) => key !== undefined),
  })
const alsoText = (said: Said, text: SignedText['text']) =>
  verifying(said, { messages: (t, body) => [signedText(t, body), text(t, body)] })

/** Servers limit the size of a body at about this size, or above it. */
const USUAL_BYTES = 64 * 1024

/** A missing secret, and what languages make of it. */
const NO_SECRETS = ['', 'undefined', 'null', 'None', 'nil', '[object Object]', 'false']

/** Another method, path or size than usual may not even reach the code that verifies. */
const isUsual = ({ delivery: { method, route, body, transport } }: Trial) =>
  method === 'POST' && route === undefined && transport === undefined && body.length <= USUAL_BYTES

/** The entries of a receiver that refuses a header with two times, as one without a time. */
const withOneTime: Verifier['entries'] = (header) => {
  const { times, signatures } = CORRECT.entries(header)
  return { times: times.length === 1 ? times : [], signatures }
}

const VERIFYING_NOTHING: readonly Hypothesis[] = [
  // It takes whatever arrives.
  { ...nothingVerified, accepts: () => true },
  { ...nothingVerified, accepts: (trial) => (isUsual(trial) ? true : undefined) },
  { ...nothingVerified, accepts: ({ correct }) => (correct === 'stale' ? undefined : true) },
  verifying(nothingVerified, { same: () => true }),
  verifying(nothingVerified, { same: () => true, inWindow: () => true }),
  verifying(nothingVerified, { same: (_, given) => given !== '' }),
  verifying(nothingVerified, { same: (_, given) => given !== '', entries: withOneTime }),
]
/** A result that is not awaited is true for whatever can be decoded. */
const DECODING_ONLY: readonly Hypothesis[] = [
  verifying(nothingVerified, { same: (_, given) => /^([0-9a-f]{2})+$/i.test(given) }),
  verifying(nothingVerified, { same: (_, given) => /^[0-9a-f]{64}$/i.test(given) }),
]
/** A `v1` of the right length that cannot be decoded. */
const NOT_HEXADECIMAL = /,v1=(?=[^,]*[g-z])[\x20-\x7e]{64}$/i

/** What such a header says depends on the receiver's language, so that no hypothesis predicts anything. */
const BEYOND_ASCII = /[^\0-\x7f]/

const HYPOTHESES: readonly Hypothesis[] = [
  ...NO_SECRETS.map((key) =>
    alsoKey({ code: 'key_guessable', data: { key, isOnly: false } }, () => utf8(key)),
  ),
  ...EXAMPLE_SECRETS.map((key) =>
    alsoKey({ code: 'key_guessable', data: { key, isOnly: false, isExample: true } }, () => utf8(key)),
  ),
  ...SECRETS.flatMap((one) =>
    'isUsed' in one
      ? alsoKey({ code: 'secret_changed', data: { form: one.code, isOnly: false } }, one.make)
      : [],
  ),
  ...SIGNED_TEXTS.flatMap(({ code, about, text }) =>
    about === undefined
      ? alsoText({ code: 'signed_text_differs', data: { text: code, isOnly: false } }, text)
      : [],
  ),
]

const otherFunctions = (...hashes: OtherFunction['hash'][]) =>
  verifying({ code: 'other_function_accepted', data: { hashes } }, { hashes: ['sha256', ...hashes] })

export const SIGNATURE_HYPOTHESES: readonly Hypothesis[] = [
  ...HYPOTHESES,
  ...OTHER_FUNCTIONS.map(({ hash }) => otherFunctions(hash)),
  otherFunctions('sha1', 'md5', 'sha512'),
]

/** Signatures that nobody with the secret made are accepted (SPEC.md 5). */
export const signatureCauses: Recognize = (symptoms) => [
  ...noVerification(symptoms),
  ...testAll(SIGNATURE_HYPOTHESES, symptoms),
]

/** The ways to verify nothing; none when forged deliveries have no effects: they are refused, but not in the response. */
export function verifyingNothing(symptoms: Symptoms): Hypothesis[] {
  const haveEffects = forgedHaveEffects(symptoms)
  if (haveEffects === false || symptoms.probed.includes('connection_trusted')) return []
  // A receiver that refuses later does not say so in the response, and only effects show it.
  const said: Said = { code: 'no_verification', data: { isUnobserved: haveEffects !== true } }
  const acceptsUndecodable = symptoms.trials.some(
    ({ accepted, delivery }) => accepted === true && NOT_HEXADECIMAL.test(delivery.signature.join(',')),
  )
  const hypotheses = acceptsUndecodable ? VERIFYING_NOTHING : [...VERIFYING_NOTHING, ...DECODING_ONLY]
  return hypotheses.map((hypothesis) => ({ ...hypothesis, ...said, parsesFirst: true }) as Hypothesis)
}

function noVerification(symptoms: Symptoms): Candidate[] {
  return testAll(verifyingNothing(symptoms), symptoms).map((cause) => alsoUnsigned(cause, symptoms))
}

/**
 * Where nothing is verified, every effect of an unsigned delivery follows, and that forgeries are accepted of which no
 * hypothesis predicts anything: with bytes outside ASCII, or sent in an unusual way.
 */
export function alsoUnsigned(cause: Candidate, symptoms: Symptoms): Candidate {
  if (cause.code !== nothingVerified.code) return cause
  const others = symptoms.trials.filter(
    (trial) =>
      trial.shouldAccept === false &&
      trial.accepted === true &&
      (!isUsual(trial) || BEYOND_ASCII.test(trial.delivery.signature.join(','))),
  )
  const also = [...effectsWithoutSignature(symptoms), ...others.map(({ verdict }) => verdict)]
  return { ...cause, also: new Set([...(cause.also ?? []), ...also]) }
}
