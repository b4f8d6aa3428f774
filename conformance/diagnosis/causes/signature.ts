import type { Candidate, Recognize } from '../cause.ts'
import type { Evidence, Trial } from '../evidence.ts'
import { effectsWithoutSignature, forgedHaveEffects } from '../forged-effects.ts'
import { type Hypothesis, testAll, verifying } from '../hypothesis.ts'
import type { Statement } from '../statement.ts'
import { CORRECT, signedText, type Verifier } from '../verifier.ts'

const nothingVerified: Statement = {
  code: 'no_verification',
  sentence: 'Forged deliveries are accepted: the signature is not verified, or the result is ignored.',
  fix: 'Compute the HMAC-SHA256 of t, a dot and the raw body with the signing secret, compare it with v1 in constant time, and answer 401 when they differ. In JavaScript, await the result: a Promise is always true.',
}
const guessable = (key: string): Statement => ({
  code: 'key_guessable',
  sentence: `A signature made with ${key} is accepted, as if the signing secret were missing.`,
  fix: 'Refuse to start without a signing secret, and never use a missing value as a key.',
})
const changed = (how: string): Statement => ({
  code: 'secret_changed',
  sentence: `A signature made with the secret ${how} is accepted.`,
  fix: 'Use the entire signing secret, including its prefix, as UTF-8 bytes, and accept no other form of it.',
})
const otherText = (what: string): Statement => ({
  code: 'signed_text_differs',
  sentence: `A signature over ${what} is accepted.`,
  fix: 'Compute the HMAC over exactly t, one dot and the raw body, in that order.',
})

const alsoKey = (statement: Statement, key: (secret: string) => string | Buffer) =>
  verifying(statement, { keys: (secret) => [secret, key(secret)] })
const alsoText = (statement: Statement, text: Verifier['messages']) =>
  verifying(statement, { messages: (t, body) => [signedText(`${t}.`, body), ...text(t, body)] })

/** The secret in the other forms that receivers derive from it. */
export const OTHER_SECRETS: readonly [how: string, (secret: string) => string | Buffer][] = [
  ['without its prefix', (secret) => secret.slice(secret.indexOf('_') + 1)],
  ['without everything before its last underscore', (secret) => secret.slice(secret.lastIndexOf('_') + 1)],
  ['decoded from base64', (secret) => Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64')],
  ['decoded from base64, prefix included', (secret) => Buffer.from(secret, 'base64')],
  ['decoded from hexadecimal', (secret) => Buffer.from(secret.slice(secret.indexOf('_') + 1), 'hex')],
  ['with a line break at its end', (secret) => `${secret}\n`],
  ['in quotation marks', (secret) => `"${secret}"`],
]

/** Servers limit the size of a body at about this size, or above it. */
const USUAL_BYTES = 64 * 1024

const WORDS = ['undefined', 'null', 'None', 'nil', '[object Object]', 'false']

/** A receiver that refuses later does not say so in the response, and only effects show it. */
const unobserved: Statement = {
  ...nothingVerified,
  sentence:
    'Forged deliveries are acknowledged: the signature is not verified, or the response does not depend on it. Whether they have effects was not observed.',
}

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
  alsoKey(guessable('an empty key'), () => ''),
  ...WORDS.map((word) => alsoKey(guessable(`the key "${word}"`), () => word)),
  ...OTHER_SECRETS.map(([how, key]) => alsoKey(changed(how), key)),
  alsoText(otherText('the body alone'), (_, body) => [body]),
  alsoText(otherText('t and the body without the dot'), (t, body) => [signedText(t, body)]),
  alsoText(otherText('the body, a dot and t'), (t, body) => [signedText(body, `.${t}`)]),
  alsoText(otherText('t alone'), (t) => [signedText(`${t}.`)]),
  alsoText(otherText('the text in UTF-16'), (t, body) => [Buffer.from(`${t}.${body.toString()}`, 'utf16le')]),
  alsoText(otherText('the body in base64'), (t, body) => [signedText(`${t}.`, body.toString('base64'))]),
]

/** Other functions, by the name that reports use; `digest` has no key. */
const FUNCTIONS = {
  sha1: 'HMAC-SHA1',
  sha512: 'HMAC-SHA512',
  md5: 'HMAC-MD5',
  'sha3-256': 'HMAC-SHA3-256',
  digest: 'an unkeyed SHA-256',
}

const otherFunction = (name: string, ...hashes: string[]) =>
  verifying(
    {
      code: 'other_function_accepted',
      sentence: `A signature made with ${name} is accepted.`,
      fix: "Always compute HMAC-SHA256 for v1; do not choose the hash function by the signature's length.",
    },
    { hashes: ['sha256', ...hashes] },
  )

const OTHER_FUNCTIONS = [
  ...Object.entries(FUNCTIONS).map(([hash, name]) => otherFunction(name, hash)),
  otherFunction('HMAC-SHA1, HMAC-MD5 or HMAC-SHA512', 'sha512', 'sha1', 'md5'),
]

export const SIGNATURE_HYPOTHESES: readonly Hypothesis[] = [...HYPOTHESES, ...OTHER_FUNCTIONS]

/** Signatures that nobody with the secret made are accepted (SPEC.md 5). */
export const signatureCauses: Recognize = (evidence) => [
  ...noVerification(evidence),
  ...testAll(SIGNATURE_HYPOTHESES, evidence),
]

/** The ways to verify nothing; none when forged deliveries have no effects: they are refused, but not in the response. */
export function verifyingNothing(evidence: Evidence): Hypothesis[] {
  const haveEffects = forgedHaveEffects(evidence)
  if (haveEffects === false || evidence.probed.includes('connection_trusted')) return []
  const { sentence } = haveEffects === true ? nothingVerified : unobserved
  const acceptsUndecodable = evidence.trials.some(
    ({ accepted, delivery }) => accepted === true && NOT_HEXADECIMAL.test(delivery.signature.join(',')),
  )
  const hypotheses = acceptsUndecodable ? VERIFYING_NOTHING : [...VERIFYING_NOTHING, ...DECODING_ONLY]
  return hypotheses.map((hypothesis): Hypothesis => ({ ...hypothesis, sentence, parsesFirst: true }))
}

function noVerification(evidence: Evidence): Candidate[] {
  return testAll(verifyingNothing(evidence), evidence).map((cause) => alsoUnsigned(cause, evidence))
}

/**
 * Where nothing is verified, every effect of an unsigned delivery follows, and that forgeries are accepted of which no
 * hypothesis predicts anything: with bytes outside ASCII, or sent in an unusual way.
 */
export function alsoUnsigned(cause: Candidate, evidence: Evidence): Candidate {
  if (cause.code !== nothingVerified.code) return cause
  const others = evidence.trials.filter(
    (trial) =>
      trial.shouldAccept === false &&
      trial.accepted === true &&
      (!isUsual(trial) || BEYOND_ASCII.test(trial.delivery.signature.join(','))),
  )
  const also = [...effectsWithoutSignature(evidence), ...others.map(({ verdict }) => verdict)]
  return { ...cause, also: new Set([...(cause.also ?? []), ...also]) }
}
