import type { HeaderLine } from '../../engine/delivery.ts'
import type { Target as Reachable } from '../../engine/target.ts'
import type { Delivery } from './delivery.ts'

/** A receiver of webhooks. */
export interface Target extends Reachable {
  readonly secret: string
  /** Name of the signature header (SPEC.md 2). */
  readonly signatureHeader: string
  /** Additional header lines for every delivery, such as one that grants access to a staging server. */
  readonly headers: readonly HeaderLine[]
}

/** Makes the target that writes the signature of each delivery to its header. */
export function createTarget(options: Omit<Target, 'linesOf'>): Target {
  const { signatureHeader, headers } = options
  return {
    ...options,
    linesOf: (delivery: Delivery) => {
      const { signature, signatureEncoding, stamps, nameCase } = delivery
      const name = inCase(signatureHeader, nameCase)
      return [
        ...headers,
        ...delivery.headers,
        ...stamps.map(([stamp, value]): HeaderLine => [inCase(stamp, nameCase), value]),
        ...signature.map(
          (value): HeaderLine => [name, signatureEncoding === 'latin1' ? value : asBytes(value)],
        ),
      ]
    },
  }
}

/** A header is bytes; text outside ASCII is sent as its UTF-8 bytes. */
function asBytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

function inCase(name: string, nameCase: Delivery['nameCase']): string {
  if (nameCase === 'lower') return name.toLowerCase()
  return nameCase === 'upper' ? name.toUpperCase() : name
}
