import { createHmac } from 'node:crypto'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import { renaming } from '../../../conformance/contracts/webhook/target.ts'
import type { Hmac } from '../../../conformance/diagnosis/mismatch/explain.ts'
import type { Stamped } from '../../../conformance/diagnosis/mismatch/header.ts'
import { type Pasted, readPasted } from './pasted.ts'

/** The HMAC of Node.js, for what also runs in browsers. */
export const hmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()

/**
 * Reads what a developer pastes: the value of the signature header, or several header lines, one of which is it, also in an
 * entire request or a curl command, whose body is then returned too.
 *
 * @param given the value, the lines, the request or the command
 * @param more header lines beside it
 * @param signatureHeader the name of the signature header, where it is not that of the service
 */
export function stampedBy(
  given: string,
  more: Pasted['headers'],
  { scheme }: Pick<WebhookContract, 'scheme'>,
  signatureHeader = scheme.header.name,
): Required<Stamped> & Pick<Pasted, 'body'> {
  const rename = renaming(scheme.header.name, signatureHeader)
  const { headers, ...pasted } = readPasted(given)
  const lines = [...headers, ...more]
  const valueOf = (name: string | undefined) =>
    name === undefined
      ? undefined
      : lines.find(([own]) => own.toLowerCase() === rename(name).toLowerCase())?.[1]
  const own = lines.find(([name]) => name.toLowerCase() === signatureHeader.toLowerCase())?.[1]
  // Without a line of that name, what is given is the value itself.
  return {
    ...pasted,
    scheme,
    header: own ?? given,
    id: valueOf(scheme.stamps?.id),
    time: valueOf(scheme.stamps?.time),
  }
}
