import { createHash } from 'node:crypto'

/** A key that a receiver may wrongly derive from its signing secret. */
export interface DerivedKey {
  /** How it is derived, as in "a signature made with ...". */
  readonly name: string
  readonly key: string | Buffer
}

type Named = readonly [name: string, key: string | Buffer | undefined]

const SEPARATORS = ['_', '-', '.', ':', '='] as const
/** Sizes at which keys are often cut, in bytes. */
const SIZES = [16, 32, 64] as const

/** The parts of a secret that remain after one of the usual ways to remove its prefix, or of the prefix itself. */
export function keysInside(secret: string): DerivedKey[] {
  const cuts = SEPARATORS.flatMap((separator) => {
    const [first = '', second, ...others] = secret.split(separator)
    if (second === undefined) return []
    const last = others.at(-1) ?? second
    return [
      [`what follows its first "${separator}"`, secret.slice(first.length + 1)],
      [`what follows its last "${separator}"`, last],
      [`what is between its first and second "${separator}"`, second],
      [`what precedes its first "${separator}"`, first],
      [`what precedes its last "${separator}"`, secret.slice(0, -last.length - 1)],
    ] satisfies Named[]
  })
  const suffixes = [...secret.matchAll(/_/g)]
    .slice(1, -1)
    .map(({ index }, place): Named => [`what follows its "_" number ${place + 2}`, secret.slice(index + 1)])
  return distinct(secret, [
    ['the secret without "whsec_"', secret.replace(/^whsec_/i, '')],
    ...cuts,
    ...suffixes,
    ['the secret without its first letter', secret.slice(1)],
    ['the secret without its last letter', secret.slice(0, -1)],
    ...SIZES.map(
      (size): Named => [`the first ${size} bytes of the secret`, Buffer.from(secret).subarray(0, size)],
    ),
  ])
}

/** What stands in examples, tests and templates of configurations, so that everyone knows it. */
export const EXAMPLE_SECRETS: readonly string[] = [
  'whsec_test',
  'whsec_test_secret',
  'whsec_xxx',
  'whsec_your_secret',
  'test',
  'test_secret',
  'secret',
  'changeme',
  'your-webhook-secret',
  'webhook_secret',
  'dev',
  'development',
  'default',
  'password',
]

/** Secrets from examples, tests and templates, without the receiver's own. */
export function exampleSecrets(own: string): string[] {
  const withoutPrefix = (secret: string) => secret.replace(/^whsec_/, '')
  return EXAMPLE_SECRETS.filter((secret) => withoutPrefix(secret) !== withoutPrefix(own))
}

/** The prefix that all secrets of the service have: everyone knows it. */
export function publicPrefixes(secret: string): DerivedKey[] {
  return distinct(secret, [
    ['the prefix of all secrets', 'whsec_'],
    ['the prefix of all secrets without its underscore', 'whsec'],
  ])
}

/** The secret, with and without its prefix, decoded from the encodings that secrets are often written in. */
export function decodedFrom(secret: string): DerivedKey[] {
  const sources: readonly (readonly [string, string])[] = [
    ['the secret', secret],
    ['what follows its first "_"', secret.slice(secret.indexOf('_') + 1)],
    ['what follows its last "_"', secret.slice(secret.lastIndexOf('_') + 1)],
  ]
  return distinct(
    secret,
    sources.flatMap(([name, text]): Named[] => [
      [`${name}, decoded from base64`, Buffer.from(text, 'base64')],
      [
        `${name}, decoded from base64 without the characters that it does not have`,
        Buffer.from(text.replace(/[^A-Za-z0-9+/]/g, ''), 'base64'),
      ],
      [
        `${name}, decoded from hexadecimal`,
        /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined,
      ],
    ]),
  )
}

/** The entire secret in another spelling or encoding, or its hash. */
export function otherFormsOf(secret: string): DerivedKey[] {
  return distinct(secret, [
    ['the secret in lowercase', secret.toLowerCase()],
    ['the secret in uppercase', secret.toUpperCase()],
    ['the secret without surrounding spaces', secret.trim()],
    ['the secret in double quotes', `"${secret}"`],
    ['the secret, URL-decoded', urlDecoded(secret)],
    ['the secret with spaces for plus signs', secret.replaceAll('+', ' ')],
    ['the secret in UTF-16', Buffer.from(secret, 'utf16le')],
    ['the secret in Latin-1', Buffer.from(secret, 'latin1')],
    ['the secret in base64', Buffer.from(secret).toString('base64')],
    ['the secret in hexadecimal', Buffer.from(secret).toString('hex')],
    ['the SHA-256 hash of the secret in hexadecimal', createHash('sha256').update(secret).digest('hex')],
  ])
}

function urlDecoded(secret: string): string | undefined {
  try {
    return decodeURIComponent(secret)
  } catch {
    return undefined
  }
}

/**
 * The keys that differ from the secret and from each other as HMAC keys: HMAC pads a short key with NUL bytes and hashes
 * one of more than 64 bytes, so different keys can be the same one. The empty key has its own case (SPEC.md 5.2).
 */
function distinct(secret: string, keys: readonly Named[]): DerivedKey[] {
  const seen = new Set([paddedKey(secret), paddedKey('')])
  return keys.flatMap(([name, key]) => {
    if (key === undefined) return []
    const padded = paddedKey(key)
    if (seen.has(padded)) return []
    seen.add(padded)
    return { name, key }
  })
}

function paddedKey(key: string | Buffer): string {
  const bytes = Buffer.from(key)
  const block = bytes.length > 64 ? createHash('sha256').update(bytes).digest() : bytes
  return block.toString('hex').replace(/(?:00)+$/, '')
}
