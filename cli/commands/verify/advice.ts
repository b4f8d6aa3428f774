import { createHmac } from 'node:crypto'
import {
  explain,
  type Hmac,
  LARGEST_BYTES,
  lossOf,
  type Refused,
} from '../../../conformance/diagnose/mismatch/explain.ts'
import type { Io } from '../../shared/io.ts'
import { readSecret } from '../../shared/secret.ts'

const hmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()

/**
 * One line about a refused delivery: with which changes its signature matches, and what to do. It shows no secret.
 * @param code the code of the refusal
 */
export async function adviceFor(refused: Refused, code: string): Promise<string> {
  const explanation = await explain(refused, hmac)
  if (explanation === undefined) return unexplained(refused)
  const { changes, fixes } = explanation
  if (changes.length > 0) return `matches if ${changes.join(' and ')}. ${fixes.join(' ')}`
  if (/\bt=\d{13}/.test(refused.header)) {
    return 'the signature matches, but t is not in seconds. Write and sign Unix seconds: Math.floor(Date.now() / 1000) in JavaScript.'
  }
  return code.startsWith('timestamp_')
    ? 'the signature matches, and only the time does not. To verify an old delivery, pass its t as --at.'
    : 'the signature itself matches. Send one t, in digits, and one v1.'
}

function unexplained({ header, body, also = {} }: Refused): string {
  if (!/\bt=/.test(header) || !/\bv1=/.test(header)) {
    return 'the header needs t and v1: pass the value of X-Service-Signature, such as t=1750000000,v1=….'
  }
  const loss = lossOf(body)
  if (loss !== undefined) return loss
  if (body.length > LARGEST_BYTES) return 'the body exceeds 1 MiB: its signature is not explained.'
  const others = Object.keys(also).length === 0 ? '; pass the secrets of other endpoints with --also' : ''
  return `no known form of the body and the secret matches: most likely the secret is of another endpoint, or the body was altered${others}.`
}

/**
 * Reads the secrets of other endpoints by the names of variables or files.
 * @throws UsageError when one cannot be read
 */
export async function readOthers(names: readonly string[] = [], io: Io): Promise<Record<string, string>> {
  const secrets = names.map(async (name) => {
    const source = io.env[name] === undefined ? { secretFile: name } : { secretEnv: name }
    return [name, await readSecret(source, io)] as const
  })
  return Object.fromEntries(await Promise.all(secrets))
}
