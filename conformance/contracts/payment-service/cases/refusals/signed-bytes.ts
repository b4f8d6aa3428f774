import { createHash } from 'node:crypto'
import { refused, refusedThoughSigned } from '../../../webhook/expectations/expect.ts'
import { hmac, v1 } from '../../../webhook/mutate.ts'
import { mutatedThenControl } from '../../../webhook/plans.ts'
import { requirement } from '../../section.ts'
import { SECRET_HOLDER_ONLY } from '../signature-header/common.ts'

const textVerified = {
  impact: `The receiver verifies text derived from the body instead of its bytes. ${SECRET_HOLDER_ONLY}`,
}

/** SPEC.md 5.5. */
export const signedBytes = requirement(
  'A receiver MUST refuse a signature that does not cover `t`, a dot and the body in that order, with status 401.',
  {
    impact: `The signature does not bind the time to the body. ${SECRET_HOLDER_ONLY}`,
    fix: 'Compute the HMAC over `t`, one dot and the raw body, in that order.',
  },
  {
    'body-alone': {
      send: mutatedThenControl(
        v1('a signature over the body alone', ({ secret, body }) => hmac('sha256', secret, body)),
      ),
      expect: [refusedThoughSigned(401)],
    },
    'without-the-dot': {
      send: mutatedThenControl(
        v1('a signature without the dot', ({ secret, t, body }) => hmac('sha256', secret, t, body)),
      ),
      expect: [refusedThoughSigned(401)],
      impact: `Digits can move between the time and the body without breaking the signature. ${SECRET_HOLDER_ONLY}`,
    },
    'body-before-t': {
      send: mutatedThenControl(
        v1('a signature over body, dot, t', ({ secret, t, body }) => hmac('sha256', secret, body, `.${t}`)),
      ),
      expect: [refusedThoughSigned(401)],
    },
    't-alone': {
      send: mutatedThenControl(
        v1('a signature over t alone', ({ secret, t }) => hmac('sha256', secret, `${t}.`)),
      ),
      expect: [refusedThoughSigned(401)],
      impact: `The body is not verified, because the receiver hashes an empty one. ${SECRET_HOLDER_ONLY}`,
      fix: 'Read the raw body before anything else consumes it, and sign its bytes.',
    },
    'over-utf-16': {
      send: mutatedThenControl(
        v1('a signature over the text in UTF-16', ({ secret, t, body }) =>
          hmac('sha256', secret, Buffer.from(`${t}.${body.toString()}`, 'utf16le')),
        ),
      ),
      expect: [refusedThoughSigned(401)],
      ...textVerified,
    },
    'over-base64': {
      send: mutatedThenControl(
        v1('a signature over the body in base64', ({ secret, t, body }) =>
          hmac('sha256', secret, `${t}.`, body.toString('base64')),
        ),
      ),
      expect: [refusedThoughSigned(401)],
      ...textVerified,
    },
  },
)

/** SPEC.md 5.6. */
export const signedByFunction = requirement(
  'A receiver MUST refuse a signature made with a function other than HMAC-SHA256, with status 400 or 401.',
  {
    impact: `A signature of a weaker function counts as v1. ${SECRET_HOLDER_ONLY}`,
    fix: 'Compute HMAC-SHA256 for the label v1, and no other function.',
  },
  {
    'hmac-sha512': {
      send: mutatedThenControl(
        v1('a signature by HMAC-SHA512', ({ secret, t, body }) => hmac('sha512', secret, `${t}.`, body)),
      ),
      expect: [refusedThoughSigned(400, 401)],
    },
    'hmac-sha1': {
      send: mutatedThenControl(
        v1('a signature by HMAC-SHA1', ({ secret, t, body }) => hmac('sha1', secret, `${t}.`, body)),
      ),
      expect: [refusedThoughSigned(400, 401)],
    },
    'hmac-md5': {
      send: mutatedThenControl(
        v1('a signature by HMAC-MD5', ({ secret, t, body }) => hmac('md5', secret, `${t}.`, body)),
      ),
      expect: [refusedThoughSigned(400, 401)],
    },
    'hmac-sha3-256': {
      send: mutatedThenControl(
        v1('a signature by HMAC-SHA3-256, which also has 64 digits', ({ secret, t, body }) =>
          hmac('sha3-256', secret, `${t}.`, body),
        ),
      ),
      expect: [refusedThoughSigned(400, 401)],
    },
    'digest-without-key': {
      send: mutatedThenControl(
        v1('a plain SHA-256 digest', ({ t, body }) =>
          createHash('sha256').update(`${t}.`).update(body).digest('hex'),
        ),
      ),
      expect: [refused(400, 401)],
      impact: 'Anyone can forge a delivery with a digest that needs no key.',
    },
  },
)
