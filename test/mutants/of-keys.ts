import { signing } from './behaviour.ts'
import type { Mutant } from './mutant.ts'

/** What else is taken for a right signature (SPEC.md 4 and 5). */
export const OF_KEYS: Readonly<Record<string, Mutant>> = {
  'signs with the word null': {
    does: { keys: (secret) => [secret, 'null'] },
    fails: ['refusals/key-null'],
  },
  'signs with the word None': {
    does: { keys: (secret) => [secret, 'None'] },
    fails: ['refusals/key-none'],
  },
  'keeps the line break of its secret file': {
    does: { keys: (secret) => [secret, `${secret}\n`] },
    fails: ['refusals/secret-with-line-break'],
  },
  'decodes the secret as well': {
    does: { keys: (secret) => [secret, Buffer.from(secret.replace(/^whsec_/, ''), 'base64')] },
    fails: ['refusals/secret-decoded'],
  },
  'signs the body before t as well': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(body, `.${t}`)] },
    fails: ['refusals/body-before-t'],
  },
  'signs a body that was already read to its end': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`)] },
    fails: ['refusals/t-alone'],
  },
  'picks the hash by the length of the signature': {
    does: { hashes: ['sha256', 'sha512', 'sha1', 'md5'] },
    fails: ['refusals/hmac-sha512', 'refusals/hmac-sha1', 'refusals/hmac-md5'],
  },
  'takes a digest without a key as well': {
    does: { hashes: ['sha256', 'plain-sha256'] },
    fails: ['refusals/digest-without-key'],
  },

  // Body bytes
  'reads the body as Latin-1': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString('latin1'))] },
    fails: ['body-bytes/beyond-ascii'],
  },
  'normalises the text of the body': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString().normalize('NFC'))] },
    fails: ['body-bytes/beyond-ascii', 'body-bytes/replacement-characters'],
  },
  'puts the fields in its own order before it verifies': {
    does: {
      messages(t, body) {
        const [first] = /"\w+"/.exec(body.toString()) ?? []
        if (first === '"event"' || !body.toString().startsWith('{')) return [signing(`${t}.`, body)]
        return [signing(`${t}.`, body), signing(`${t}.`, inReverse(body))]
      },
    },
    fails: ['body-bytes/keys-reordered'],
  },
  'verifies a body without its white space as well': {
    does: {
      messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`, unspaced(body))],
    },
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
