import { type Bytes, type Form, fromBase64, utf8 } from './form.ts'

const COPY = 'Copy the entire signing secret, with its prefix and nothing else.'
const WHOLE =
  'The signer uses another form of the secret: it must use the entire text, prefix included, as UTF-8 bytes.'

const text = (change: string, fix: string, make: (secret: string) => string | undefined) => ({
  change,
  fix,
  make: (secret: string) => {
    const made = make(secret)
    return made === undefined || made === secret ? undefined : utf8(made)
  },
})
const bytes = (change: string, make: (secret: string) => Bytes | undefined) => ({ change, fix: WHOLE, make })

const afterPrefix = (secret: string) => secret.slice(secret.indexOf('_') + 1)

/** The forms of a signing secret: first mistakes of copying, then those of the signer. */
export const SECRETS: readonly Form<string, Bytes>[] = [
  text('the whitespace around the secret is removed', COPY, (secret) => secret.trim()),
  text(
    'the quotation marks around the secret are removed',
    COPY,
    (secret) => /^(["'`])(.*)\1$/.exec(secret.trim())?.[2],
  ),
  text(
    'the name before the secret is removed',
    COPY,
    (secret) => /^[\w ]+[=:]\s*["']?(whsec_[^"']*)/.exec(secret.trim())?.[1],
  ),
  text('whsec_ is put before the secret', COPY, (secret) =>
    secret.startsWith('whsec_') ? undefined : `whsec_${secret}`,
  ),
  text('the secret is used without its prefix', WHOLE, afterPrefix),
  text('the secret is used without everything before its last underscore', WHOLE, (secret) =>
    secret.slice(secret.lastIndexOf('_') + 1),
  ),
  bytes('the secret is decoded from base64 without its prefix', (secret) => fromBase64(afterPrefix(secret))),
  bytes('the secret is decoded from base64', fromBase64),
  bytes('the secret is decoded from hexadecimal', (secret) => {
    const digits = afterPrefix(secret)
    if (!/^(?:[\da-f]{2})+$/i.test(digits)) return undefined
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  }),
  ...(['\n', '\r\n'] as const).map((end) =>
    text(
      `the secret ends with a line break (${end === '\n' ? 'LF' : 'CRLF'})`,
      'The signer read the secret from a file or a variable that ends with one: trim it there.',
      (secret) => secret + end,
    ),
  ),
  text(
    'the secret is in quotation marks',
    'The signer read the quotation marks as a part of the secret: remove them there.',
    (secret) => `"${secret}"`,
  ),
  text(
    'the secret is empty',
    'The signer has no secret: set it there, and refuse to start without one.',
    () => '',
  ),
]
