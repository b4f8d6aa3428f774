import { signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** Wrong signatures that are accepted as valid (SPEC.md 4 and 5). */
export const OF_KEYS: Readonly<Record<string, Mutant>> = {
  'also accepts the key "null"': {
    does: { keys: (secret) => [secret, 'null'] },
    cause: 'key_guessable',
    fails: ['refusals/key-null'],
  },
  'also accepts the key "None"': {
    does: { keys: (secret) => [secret, 'None'] },
    cause: 'key_guessable',
    fails: ['refusals/key-none'],
  },
  'also accepts the key "[object Object]"': {
    does: { keys: (secret) => [secret, '[object Object]'] },
    cause: 'key_guessable',
    fails: ['refusals/key-object'],
  },
  'ignores the last letter of its secret': {
    does: { keys: (secret) => [secret, ...near(secret)] },
    fails: ['refusals/secret-with-one-letter-changed'],
  },
  'also accepts the secret with a line break': {
    does: { keys: (secret) => [secret, `${secret}\n`] },
    cause: 'secret_changed',
    fails: ['refusals/secret-with-line-break'],
  },
  'also accepts the decoded secret': {
    does: { keys: (secret) => [secret, Buffer.from(secret.replace(/^whsec_/, ''), 'base64')] },
    cause: 'secret_changed',
    fails: ['refusals/secret-decoded'],
  },
  'also accepts the secret after its first underscore': {
    does: { keys: (secret) => [secret, secret.slice(secret.indexOf('_') + 1)] },
    prefixed: true,
    fails: ['refusals/secret-without-prefix'],
    cause: 'secret_changed',
  },
  'also accepts the second part of the secret': {
    does: { keys: (secret) => [secret, secret.split('_')[1] ?? secret] },
    prefixed: true,
    fails: ['refusals/secret-without-prefix'],
  },
  'also accepts the prefix alone': {
    does: { keys: (secret) => [secret, secret.split('_')[0] ?? secret] },
    prefixed: true,
    cause: 'key_guessable',
    fails: ['refusals/secret-without-prefix'],
  },
  'cuts the secret to 16 bytes': {
    does: { keys: (secret) => [secret, secret.slice(0, 16)] },
    fails: ['refusals/secret-without-prefix'],
  },
  'also accepts the secret decoded as Python decodes it': {
    does: {
      keys: (secret) => [
        secret,
        Buffer.from(secret.replace('whsec_', '').replace(/[^A-Za-z0-9+/]/g, ''), 'base64'),
      ],
    },
    fails: ['refusals/secret-decoded'],
  },
  'also accepts the secret in uppercase': {
    does: { keys: (secret) => [secret, secret.toUpperCase()] },
    fails: ['refusals/secret-in-another-form'],
  },
  'also accepts the secret in base64': {
    does: { keys: (secret) => [secret, Buffer.from(secret).toString('base64')] },
    fails: ['refusals/secret-in-another-form'],
  },
  'also accepts the secret with its quotes': {
    does: { keys: (secret) => [secret, `"${secret}"`] },
    fails: ['refusals/secret-in-another-form'],
    cause: 'secret_changed',
  },
  'also accepts a signature over body, dot, t': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(body, `.${t}`)] },
    cause: 'signed_text_differs',
    fails: ['refusals/body-before-t'],
  },
  'signs a body that was already consumed': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`)] },
    cause: 'signed_text_differs',
    fails: ['refusals/t-alone'],
  },
  'picks the hash by the length of the signature': {
    does: { hashes: ['sha256', 'sha512', 'sha1', 'md5'] },
    cause: 'other_function_accepted',
    fails: ['refusals/hmac-sha512', 'refusals/hmac-sha1', 'refusals/hmac-md5'],
  },
  'also accepts a signature over UTF-16 text': {
    does: {
      messages: (t, body) => [signing(`${t}.`, body), Buffer.from(`${t}.${body.toString()}`, 'utf16le')],
    },
    cause: 'signed_text_differs',
    fails: ['refusals/over-utf-16'],
  },
  'also accepts a signature over the body in base64': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`, body.toString('base64'))] },
    cause: 'signed_text_differs',
    fails: ['refusals/over-base64'],
  },
  'accepts any 256-bit hash': {
    does: { hashes: ['sha256', 'sha3-256'] },
    cause: 'other_function_accepted',
    fails: ['refusals/hmac-sha3-256'],
  },
  'also accepts an unkeyed digest': {
    does: { hashes: ['sha256', 'plain-sha256'] },
    cause: 'other_function_accepted',
    fails: ['refusals/digest-without-key'],
  },

  // Body bytes
  'reads the body as Latin-1': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString('latin1'))] },
    dependsOnData: true,
    cause: 'body_decoded_as_text',
    fails: ['body-bytes/beyond-ascii'],
  },
  'normalizes the text of the body': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString().normalize('NFC'))] },
    cause: 'body_decoded_as_text',
    fails: ['body-bytes/beyond-ascii', 'body-bytes/characters-decomposed'],
  },
  'moves the event field first before it verifies': {
    does: {
      messages(t, body) {
        try {
          const { event, ...others } = JSON.parse(body.toString()) as Record<string, unknown>
          const known =
            event === undefined || body.includes('\n') ? body : JSON.stringify({ event, ...others })
          return [signing(`${t}.`, known)]
        } catch {
          return [signing(`${t}.`, body)]
        }
      },
    },
    fails: ['body-bytes/keys-in-another-order', 'body-bytes/key-repeated'],
  },
  'converts line endings before it verifies': {
    does: {
      messages: (t, body) => [
        signing(`${t}.`, Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
      ],
    },
    cause: 'body_decoded_as_text',
    fails: ['body-bytes/windows-line-breaks', 'body-bytes/line-endings-changed'],
  },
  'drops a byte-order mark before it verifies': {
    does: {
      messages: (t, body) => [signing(`${t}.`, unmarked(body))],
      parse: (body) => JSON.parse(unmarked(body).toString()),
    },
    fails: ['body-bytes/byte-order-mark-added', 'body-bytes/byte-order-mark'],
    cause: 'body_decoded_as_text',
    source: 'https://github.com/cloudflare/workerd/issues/4712',
  },
  'reorders the fields before it verifies': {
    does: {
      messages(t, body) {
        const [first] = /"\w+"/.exec(body.toString()) ?? []
        if (first === '"event"' || !body.toString().startsWith('{')) return [signing(`${t}.`, body)]
        return [signing(`${t}.`, body), signing(`${t}.`, inReverse(body))]
      },
    },
    fails: ['body-bytes/keys-reordered'],
  },
  'also verifies the body without its whitespace': {
    does: {
      messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`, unspaced(body))],
    },
    cause: 'body_reserialized',
    fails: ['body-bytes/spaces-added', 'body-bytes/line-break-added'],
  },
  'refuses keys that look like an attack': {
    does: {
      parse(body) {
        if (body.includes('"__proto__"')) throw new SyntaxError('forbidden key')
        return JSON.parse(body.toString())
      },
    },
    fails: ['body-bytes/key-named-proto'],
  },
}

function inReverse(body: Buffer): string {
  try {
    const fields = JSON.parse(body.toString()) as Record<string, unknown>
    return JSON.stringify(Object.fromEntries(Object.entries(fields).toReversed()))
  } catch {
    return ''
  }
}

function unspaced(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString()))
  } catch {
    return ''
  }
}

function unmarked(body: Buffer): Buffer {
  return body.indexOf('\uFEFF') === 0 ? body.subarray(3) : body
}

/** All secrets that differ only in the last letter. */
function near(secret: string): string[] {
  return Array.from({ length: 94 }, (_, n) => secret.slice(0, -1) + String.fromCodePoint(33 + n))
}
