import { createHmac } from 'node:crypto'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import { renaming } from '../../../conformance/contracts/webhook/target.ts'
import type { Hmac } from '../../../conformance/diagnosis/mismatch/explain.ts'
import type { Stamped } from '../../../conformance/diagnosis/mismatch/header.ts'

/** The HMAC of Node.js, for what also runs in browsers. */
export const hmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()

/** A header line. */
type Line = readonly [name: string, value: string]

/**
 * Reads what a developer pastes: the value of the signature header, or several header lines, one of which is it.
 *
 * @param given the value or the lines
 * @param more header lines beside it
 * @param signatureHeader the name of the signature header, where it is not that of the service
 */
export function stampedBy(
  given: string,
  more: readonly Line[],
  { scheme }: Pick<WebhookContract, 'scheme'>,
  signatureHeader = scheme.header.name,
): Required<Stamped> {
  const rename = renaming(scheme.header.name, signatureHeader)
  const lines = [...linesOf(given), ...more]
  const valueOf = (name: string | undefined) =>
    name === undefined
      ? undefined
      : lines.find(([own]) => own.toLowerCase() === rename(name).toLowerCase())?.[1]
  const own = lines.find(([name]) => name.toLowerCase() === signatureHeader.toLowerCase())?.[1]
  // Without a line of that name, what is given is the value itself.
  return {
    scheme,
    header: own ?? given,
    id: valueOf(scheme.stamps?.id),
    time: valueOf(scheme.stamps?.time),
  }
}

/** The header lines in a text, also as curl and logs show them. */
function linesOf(text: string): Line[] {
  return text.split(/\r?\n/).flatMap((line): Line[] => {
    const [, name, value] = /^\s*[<>]?\s*["']?([\w-]+)["']?\s*:\s*(.*?)\s*$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value]]
  })
}
