import type { Environment } from './launch.ts'

/** The environment variable in which a receiver that was started by this suite gets its signing secret. */
const SECRET_VARIABLE = 'HOOKPROOF_SECRET'

/** The variables that give a started receiver its secret: also WEBHOOK_SECRET, unless the environment has one. */
export function secretVariables(secret: string, env: Environment): Environment {
  return env['WEBHOOK_SECRET'] === undefined && !env['WEBHOOK_SECRET_FILE']
    ? { [SECRET_VARIABLE]: secret, WEBHOOK_SECRET: secret }
    : { [SECRET_VARIABLE]: secret }
}

/**
 * The environment of a receiver whose secret is not configured: every variable that holds the secret is empty or absent.
 *
 * @param env that of a receiver with a secret
 */
export function withoutSecret(env: Environment, secret: string, how: 'empty' | 'absent'): Environment {
  return withSecret(env, secret, how === 'empty' ? '' : undefined)
}

/** The environment of a receiver with another secret: every variable that holds `secret` has `other`. */
export function withSecret(env: Environment, secret: string, other: string | undefined): Environment {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value?.trim() === secret ? other : value]),
  )
}
