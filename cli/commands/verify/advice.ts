import { createHmac } from 'node:crypto'
import { adviceOn } from '../../../conformance/diagnosis/mismatch/advice.ts'
import type { Hmac, Refused } from '../../../conformance/diagnosis/mismatch/explain.ts'
import { comparisonOf, REFUSED_ANYWAY } from '../../../conformance/diagnosis/mismatch/valid.ts'
import type { Io } from '../../shared/io.ts'
import { readSecret } from '../../shared/secret.ts'

const hmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()

const hints = { old: 'pass its t as --at', others: 'pass the secrets of other endpoints with --also' }

/**
 * One line about a refused delivery: why its signature does not match, and what to do. It shows no secret.
 * @param code the code of the refusal
 */
export function adviceFor(refused: Refused, code: string): Promise<string> {
  return adviceOn(refused, { isLate: code.startsWith('timestamp_'), hmac, hints })
}

/** One line about a valid delivery, for somebody whose receiver refuses it. It shows no secret. */
export async function adviceOnValid(given: { body: Uint8Array; secret: string }): Promise<string> {
  return `${REFUSED_ANYWAY} ${await comparisonOf(given)}`
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
