import { createHash } from 'node:crypto'
import { asControl } from '../case/delivery.ts'
import { nothingHandled } from '../case/effects.ts'
import { refused } from '../case/expect.ts'
import type { Kit } from '../case/kit.ts'
import { amountAltered, header, hmac, type Mutation, signedAt, signedWith, v1 } from '../case/mutate.ts'
import { inTurn, mutatedThenControl } from '../case/plan.ts'
import { section } from './section.ts'

/** The refused delivery and its control are of different payments, so that an effect tells which one had it. */
const beside = (mutation: Mutation) => (kit: Kit) =>
  inTurn(mutation(kit.delivery('completed'), kit), asControl(kit.delivery('completed')))

const anyone = {
  impact: 'Anyone on the internet can report a payment that was never made.',
  fix: 'Compute the HMAC with the endpoint’s own secret and answer 401 when it differs.',
}
const missingSecret = {
  impact:
    'When the secret is not configured, the receiver trusts whoever signs with the well-known stand-in.',
  fix: 'Refuse to start without a signing secret.',
}
const otherKey = {
  impact:
    'The receiver and the service do not agree on the key; a part of a secret is easier to guess than the whole.',
  fix: 'Use the whole secret, prefix included, as UTF-8 bytes.',
}
const otherMessage = {
  impact:
    'The signature does not bind the time to the body, so old deliveries can be replayed or recombined.',
  fix: 'Sign `t`, one dot and the raw body, in that order.',
}
const otherHash = {
  impact: 'A weaker or unkeyed digest is accepted, which others can compute.',
  fix: 'Compute HMAC-SHA256 and nothing else under the label v1.',
}
const acted = {
  impact: 'Goods are shipped for a delivery that had to be refused.',
  fix: 'Refuse it, and do nothing with its body before that: check signature and time first.',
}

export const refusals = section('refusals', 'Refusals', {
  'another-secret': {
    spec: 'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    send: mutatedThenControl(
      signedWith('a signature made with another secret', () => 'whsec_of_somebody_else'),
    ),
    expect: [refused(401)],
    ...anyone,
  },
  'secret-with-one-letter-changed': {
    spec: 'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    send: mutatedThenControl(
      signedWith(
        'a signature made with a secret that ends otherwise',
        (secret) => `${secret.slice(0, -1)}${secret.endsWith('~') ? '!' : '~'}`,
      ),
    ),
    expect: [refused(401)],
    ...anyone,
  },
  'secret-with-line-break': {
    spec: 'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    send: mutatedThenControl(
      signedWith('a signature made with the secret and a line break', (secret) => `${secret}\n`),
    ),
    expect: [refused(401)],
    ...otherKey,
  },
  'signature-of-another-delivery': {
    spec: 'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    send: mutatedThenControl((delivery, kit) => ({
      ...delivery,
      change: 'the signature of another delivery',
      signature: kit.delivery('completed').signature,
    })),
    expect: [refused(401)],
    ...anyone,
  },
  'signature-of-zeros': {
    spec: 'A receiver MUST refuse a delivery signed with another secret, with status 401.',
    send: mutatedThenControl(v1('a signature of zeros', () => '0'.repeat(64))),
    expect: [refused(401)],
    ...anyone,
  },
  'empty-key': {
    spec: 'A receiver MUST refuse a delivery signed with an empty key, with status 401.',
    send: mutatedThenControl(signedWith('a signature made with an empty key', () => '')),
    expect: [refused(401)],
    ...missingSecret,
  },
  'key-undefined': {
    spec: 'A receiver MUST refuse a delivery signed with the word that stands for a missing value in some language, with status 401.',
    send: mutatedThenControl(signedWith('a signature made with the key "undefined"', () => 'undefined')),
    expect: [refused(401)],
    ...missingSecret,
  },
  'key-null': {
    spec: 'A receiver MUST refuse a delivery signed with the word that stands for a missing value in some language, with status 401.',
    send: mutatedThenControl(signedWith('a signature made with the key "null"', () => 'null')),
    expect: [refused(401)],
    ...missingSecret,
  },
  'key-none': {
    spec: 'A receiver MUST refuse a delivery signed with the word that stands for a missing value in some language, with status 401.',
    send: mutatedThenControl(signedWith('a signature made with the key "None"', () => 'None')),
    expect: [refused(401)],
    ...missingSecret,
  },
  'key-object': {
    spec: 'A receiver MUST refuse a delivery signed with the word that stands for a missing value in some language, with status 401.',
    send: mutatedThenControl(
      signedWith('a signature made with the key "[object Object]"', () => '[object Object]'),
    ),
    expect: [refused(401)],
    ...missingSecret,
  },
  'secret-without-prefix': {
    spec: 'A receiver MUST use the whole signing secret as the key, and refuse a signature made with a part or a decoding of it, with status 401.',
    send: mutatedThenControl(
      // A secret with no prefix loses its first letter instead: some part of it must be missing.
      signedWith('a signature made with the secret without its prefix', (secret) =>
        secret.includes('_') ? secret.slice(secret.lastIndexOf('_') + 1) : secret.slice(1),
      ),
    ),
    expect: [refused(401)],
    ...otherKey,
  },
  'secret-decoded': {
    spec: 'A receiver MUST use the whole signing secret as the key, and refuse a signature made with a part or a decoding of it, with status 401.',
    send: mutatedThenControl(
      signedWith('a signature made with the secret decoded from base64', (secret) =>
        Buffer.from(secret.replace(/^whsec_/, ''), 'base64'),
      ),
    ),
    expect: [refused(401)],
    ...otherKey,
  },
  'body-alone': {
    spec: 'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    send: mutatedThenControl(
      v1('a signature over the body alone', ({ secret, body }) => hmac('sha256', secret, body)),
    ),
    expect: [refused(401)],
    ...otherMessage,
  },
  'without-the-dot': {
    spec: 'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    send: mutatedThenControl(
      v1('a signature without the dot', ({ secret, t, body }) => hmac('sha256', secret, t, body)),
    ),
    expect: [refused(401)],
    impact: 'Digits can be moved between the time and the body without breaking the signature.',
    fix: otherMessage.fix,
  },
  'body-before-t': {
    spec: 'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    send: mutatedThenControl(
      v1('a signature over body, dot, t', ({ secret, t, body }) => hmac('sha256', secret, body, `.${t}`)),
    ),
    expect: [refused(401)],
    ...otherMessage,
  },
  't-alone': {
    spec: 'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    send: mutatedThenControl(
      v1('a signature over t alone', ({ secret, t }) => hmac('sha256', secret, `${t}.`)),
    ),
    expect: [refused(401)],
    impact: 'An empty body was hashed: any body passes under a signature that was seen once.',
    fix: 'Read the raw body before anything else consumes it, and sign its bytes.',
  },
  'over-utf-16': {
    spec: 'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    send: mutatedThenControl(
      v1('a signature over the text in UTF-16', ({ secret, t, body }) =>
        hmac('sha256', secret, Buffer.from(`${t}.${body.toString()}`, 'utf16le')),
      ),
    ),
    expect: [refused(401)],
    impact: 'What is verified is not the bytes that were sent but a text made of them.',
    fix: otherMessage.fix,
  },
  'over-base64': {
    spec: 'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
    send: mutatedThenControl(
      v1('a signature over the body in base64', ({ secret, t, body }) =>
        hmac('sha256', secret, `${t}.`, body.toString('base64')),
      ),
    ),
    expect: [refused(401)],
    impact: 'What is verified is not the bytes that were sent but a text made of them.',
    fix: otherMessage.fix,
  },
  'hmac-sha512': {
    spec: 'A receiver MUST refuse a signature made with another function than HMAC-SHA256, with status 400 or 401.',
    send: mutatedThenControl(
      v1('a signature by HMAC-SHA512', ({ secret, t, body }) => hmac('sha512', secret, `${t}.`, body)),
    ),
    expect: [refused(400, 401)],
    ...otherHash,
  },
  'hmac-sha1': {
    spec: 'A receiver MUST refuse a signature made with another function than HMAC-SHA256, with status 400 or 401.',
    send: mutatedThenControl(
      v1('a signature by HMAC-SHA1', ({ secret, t, body }) => hmac('sha1', secret, `${t}.`, body)),
    ),
    expect: [refused(400, 401)],
    ...otherHash,
  },
  'hmac-md5': {
    spec: 'A receiver MUST refuse a signature made with another function than HMAC-SHA256, with status 400 or 401.',
    send: mutatedThenControl(
      v1('a signature by HMAC-MD5', ({ secret, t, body }) => hmac('md5', secret, `${t}.`, body)),
    ),
    expect: [refused(400, 401)],
    ...otherHash,
  },
  'hmac-sha3-256': {
    spec: 'A receiver MUST refuse a signature made with another function than HMAC-SHA256, with status 400 or 401.',
    send: mutatedThenControl(
      v1('a signature by HMAC-SHA3-256, which has 64 digits too', ({ secret, t, body }) =>
        hmac('sha3-256', secret, `${t}.`, body),
      ),
    ),
    expect: [refused(400, 401)],
    ...otherHash,
  },
  'digest-without-key': {
    spec: 'A receiver MUST refuse a signature made with another function than HMAC-SHA256, with status 400 or 401.',
    send: mutatedThenControl(
      v1('a plain SHA-256 digest', ({ t, body }) =>
        createHash('sha256').update(`${t}.`).update(body).digest('hex'),
      ),
    ),
    expect: [refused(400, 401)],
    ...otherHash,
  },
  'forged-has-no-effect': {
    spec: 'A refused delivery MUST have no effect.',
    needs: 'effects',
    send: beside(signedWith('a signature made with another secret', () => 'whsec_of_somebody_else')),
    expect: [refused(401), nothingHandled],
    ...acted,
  },
  'altered-has-no-effect': {
    spec: 'A refused delivery MUST have no effect.',
    needs: 'effects',
    send: beside(amountAltered),
    expect: [refused(401), nothingHandled],
    ...acted,
  },
  'stale-has-no-effect': {
    spec: 'A refused delivery MUST have no effect.',
    needs: 'effects',
    send: beside(signedAt('t an hour ago', (now) => now - 3600)),
    expect: [refused(400), nothingHandled],
    ...acted,
  },
  'unsigned-has-no-effect': {
    spec: 'A refused delivery MUST have no effect.',
    needs: 'effects',
    send: beside(header('no signature header', () => [])),
    expect: [refused(400), nothingHandled],
    ...acted,
  },
})
