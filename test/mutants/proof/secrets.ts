/**
 * Signing secrets of the five shapes that services use. No verdict may depend on the shape: a secret may hold further
 * underscores, characters that only some base64 decoders know, or more bytes than a block of SHA-256.
 */
export const SECRETS = [
  'whsec_k3-Qz8r_Vb2NwT-y7LmXo4_Jc9eHs_5d',
  'whsec_9f2c4e7a1b8d0536e4f7a2c9d1b60853',
  'Jt4mW8zqR2xVb7nKc5yHd3sLf9gPa6eU',
  'whsec_N7+x2Kq9/Vb4Tz6+Lm3Rw8/Hp5Yc1Fd0Gs7Jn2Xk9Q8=',
  `whsec_${'Qm7vXz2Lk9Wp4TnR8cYf1HsJ6bGd3E'.repeat(4)}aB`,
] as const

/** The prefix of most secrets; some services issue none. */
const PREFIX = 'whsec_'

/** The secret of a run; `prefixed` leaves out the shape without a prefix. */
export function secretOf(run: number, { prefixed = false } = {}): string {
  const usable = prefixed ? SECRETS.filter((secret) => secret.startsWith(PREFIX)) : SECRETS
  return usable[run % usable.length] ?? SECRETS[0]
}
