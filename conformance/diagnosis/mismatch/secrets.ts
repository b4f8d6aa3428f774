import { type Bytes, type Form, fromBase64, utf8 } from './form.ts'

const COPY = 'Copy the entire signing secret, with its prefix and nothing else.'
const WHOLE =
  'The program that signs uses another form of the secret: it must use the entire text, prefix included, as UTF-8 bytes.'

const text = (cause: string, fix: string, make: (secret: string) => string | undefined) => ({
  cause,
  fix,
  make: (secret: string) => {
    const made = make(secret)
    return made === undefined || made === secret ? undefined : utf8(made)
  },
})
const bytes = (cause: string, make: (secret: string) => Bytes | undefined) => ({ cause, fix: WHOLE, make })

const afterPrefix = (secret: string) => secret.slice(secret.indexOf('_') + 1)

/** The forms of a signing secret: first mistakes of copying, then those of the program that signs. */
export const SECRETS: readonly Form<string, Bytes>[] = [
  text('there is whitespace around the secret', COPY, (secret) => secret.trim()),
  text(
    'there are quotation marks around the secret',
    COPY,
    (secret) => /^(["'`])(.*)\1$/.exec(secret.trim())?.[2],
  ),
  text(
    'a name stands before the secret',
    COPY,
    (secret) => /^[\w ]+[=:]\s*["']?(whsec_[^"']*)/.exec(secret.trim())?.[1],
  ),
  text('the secret lacks its prefix whsec_', COPY, (secret) =>
    secret.startsWith('whsec_') ? undefined : `whsec_${secret}`,
  ),
  text('the signature was made with the secret without its prefix', WHOLE, afterPrefix),
  text('the signature was made with the part of the secret after its last underscore', WHOLE, (secret) =>
    secret.slice(secret.lastIndexOf('_') + 1),
  ),
  bytes('the signature was made with the secret decoded from base64, without its prefix', (secret) =>
    fromBase64(afterPrefix(secret)),
  ),
  bytes('the signature was made with the secret decoded from base64', fromBase64),
  bytes('the signature was made with the secret decoded from hexadecimal', (secret) => {
    const digits = afterPrefix(secret)
    if (!/^(?:[\da-f]{2})+$/i.test(digits)) return undefined
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  }),
  ...(['\n', '\r\n'] as const).map((end) =>
    text(
      `the signature was made with a line break (${end === '\n' ? 'LF' : 'CRLF'}) after the secret`,
      'The program that signs reads the secret from a file or a variable that ends with a line break: trim it in that program, not in the receiver.',
      (secret) => secret + end,
    ),
  ),
  text(
    'the signature was made with quotation marks around the secret',
    'The program that signs takes the quotation marks for a part of the secret: remove them in its configuration, not in that of the receiver.',
    (secret) => `"${secret}"`,
  ),
  text(
    'the signature was made with an empty secret',
    'The program that signs has no secret: set it there, and let that program refuse to start without one.',
    () => '',
  ),
]
