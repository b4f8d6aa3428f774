import type { Environment } from '../engine/process/launch.ts'

/** A shorter secret may be a word, such as `test`, which occurs in texts that disclose nothing. */
export const LEAST_SECRET_CHARACTERS = 16

/** Whether a signing secret is so short that its characters may occur in a text by chance. */
export const isShortSecret = (secret: string): boolean => secret.length < LEAST_SECRET_CHARACTERS

/** The environment variable in which a receiver that was started by this suite gets its signing secret. */
export const SECRET_VARIABLE = 'HOOKPROOF_SECRET'

/** The variables that give a started receiver its secret: also WEBHOOK_SECRET, unless the environment has one. */
export function secretVariables(secret: string, env: Environment): Environment {
  return env['WEBHOOK_SECRET'] === undefined && !env['WEBHOOK_SECRET_FILE']
    ? { [SECRET_VARIABLE]: secret, WEBHOOK_SECRET: secret }
    : { [SECRET_VARIABLE]: secret }
}

/**
 * The environment of a receiver with another secret: every variable that holds `secret` has `other`.
 *
 * @param other undefined for variables that are absent
 */
export function withSecret(env: Environment, secret: string, other: string | undefined): Environment {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value?.trim() === secret ? other : value]),
  )
}

/** Replaces the signing secret in any common encoding, and leaves the rest unchanged. */
export function secretHider(secret: string): (text: string) => string {
  const bytes = Buffer.from(secret)
  return hider('[signing secret]', [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    // Without padding, so that both forms are found.
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ])
}

/** Replaces each occurrence of the texts, in any capitalization, by a name. */
export function hider(name: string, texts: readonly string[]): (text: string) => string {
  if (texts.length === 0) return (text) => text
  // The longest first, since one may be a prefix of another.
  const sources = texts
    .toSorted((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const any = new RegExp(sources.join('|'), 'gi')
  return (text) => text.replace(any, name)
}
