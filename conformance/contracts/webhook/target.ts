import type { HeaderLine } from '../../engine/delivery.ts'
import type { Target as Reachable } from '../../engine/target.ts'
import type { Delivery } from './delivery.ts'

/** A receiver of webhooks. */
export interface Target extends Reachable {
  readonly secret: string
  /** Name of the signature header (SPEC.md 2). */
  readonly signatureHeader: string
  /** Set when the run names another signature header than the service does. */
  readonly isHeaderRenamed?: boolean
  /** Additional header lines for every delivery, such as one that grants access to a staging server. */
  readonly headers: readonly HeaderLine[]
}

/** Makes the target that writes the signature of each delivery to its header. */
export function createTarget(options: Omit<Target, 'linesOf'>): Target {
  const { signatureHeader, headers } = options
  return {
    ...options,
    linesOf: (delivery: Delivery) => {
      const { signature, olderSignature, signatureEncoding, stamps, nameCase, signed } = delivery
      const { header, older } = signed.scheme
      const toLines = (name: string, values: readonly string[]) =>
        values.map(
          (value): HeaderLine => [
            inCase(name, nameCase),
            signatureEncoding === 'latin1' ? value : asBytes(value),
          ],
        )
      const stampName = renaming(header.name, signatureHeader)
      return [
        ...headers,
        ...delivery.headers,
        ...stamps.map(([stamp, value]): HeaderLine => [inCase(stampName(stamp), nameCase), value]),
        ...(older === undefined ? [] : toLines(older.header.name, olderSignature)),
        ...toLines(signatureHeader, signature),
      ]
    },
  }
}

/** Gives stamps the prefix of the signature header, as services do that rename all of them: `svix-id` beside `svix-signature`. */
export function renaming(own: string, given: string): (stamp: string) => string {
  const prefixes = [own, given].map((name) => /^(.*-)signature$/i.exec(name)?.[1])
  const [from, to] = prefixes
  return from === undefined || to === undefined
    ? (stamp) => stamp
    : (stamp) => (stamp.startsWith(from) ? `${to}${stamp.slice(from.length)}` : stamp)
}

/** A header is bytes; text outside ASCII is sent as its UTF-8 bytes. */
function asBytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

function inCase(name: string, nameCase: Delivery['nameCase']): string {
  if (nameCase === 'lower') return name.toLowerCase()
  return nameCase === 'upper' ? name.toUpperCase() : name
}
