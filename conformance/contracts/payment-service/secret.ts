import type { Environment } from '../../engine/process/launch.ts'

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
