import { createHmac } from 'node:crypto'
import type { Delivery, HeaderLine, Transport } from './delivery.ts'
import type { Kit } from './kit.ts'
import { headerWith, type Scheme, type Signing, signatureBy, signingKey } from './scheme.ts'

/** A named change to a signed delivery. It does not sign the delivery again unless its name says so. */
export type Mutation = (delivery: Delivery, kit: Kit) => Delivery

/** What a delivery is signed with, and its valid signature. */
export interface Parts extends Signing {
  readonly v1: string
  readonly body: Buffer
  readonly secret: string
  readonly scheme: Scheme
  /** The receiver's clock in Unix seconds. */
  readonly now: number
}

function signatureOf(delivery: Delivery, kit: Kit): Parts {
  return { ...delivery.signed, body: delivery.body, secret: kit.secret, now: kit.now() }
}

/**
 * Rewrites the signature header from the parts of the valid one: one line, several, or none (SPEC.md 2). A service's header for
 * older receivers is rewritten in the same way: a receiver that reads only that one gets what the others get.
 */
export function header(change: string, write: (parts: Parts) => string | readonly string[]): Mutation {
  return (delivery, kit) => {
    const parts = signatureOf(delivery, kit)
    const linesOf = (own: Parts) => [write(own)].flat()
    const { older } = delivery.signed
    return {
      ...delivery,
      change,
      signature: linesOf(parts),
      olderSignature: older === undefined ? [] : linesOf({ ...parts, ...older }),
    }
  }
}

/** Replaces the signature and leaves the time as it is (SPEC.md 2.10 and 5). */
export function v1(change: string, make: (parts: Parts) => string): Mutation {
  return header(change, (parts) => headerWith(parts.scheme, parts.t, make(parts)))
}

/** Signs validly at another `t`: a number of seconds, or a literal text (SPEC.md 2.9 and 3). */
export function signedAt(change: string, t: (now: number) => number | string): Mutation {
  return (delivery, kit) => ({ ...kit.redelivery(delivery, { t: t(kit.now()) }), change })
}

/** Computes the MAC with another key; everything else is valid (SPEC.md 5.1 to 5.4). */
export function signedWith(change: string, key: (secret: string) => string | Buffer): Mutation {
  return v1(change, (parts) => signatureBy(parts.scheme, key(parts.secret), parts))
}

/** A secret that is not the receiver's: one that an attacker chose. */
export const ATTACKERS_SECRET = 'whsec_of_somebody_else'

/** Signs with a secret that an attacker chose (SPEC.md 5.1). */
export const forged: Mutation = v1('a signature made with another secret', (parts) => {
  const other = parts.secret === ATTACKERS_SECRET ? `${ATTACKERS_SECRET}_too` : ATTACKERS_SECRET
  return signatureBy(parts.scheme, signingKey(parts.scheme, other), parts)
})

/** Changes one digit of the amount and keeps the signature (SPEC.md 4.2). */
export const amountAltered: Mutation = body('one digit of the amount altered', (bytes) => {
  const at = bytes.indexOf('"amount":"') + '"amount":"'.length
  const altered = Buffer.from(bytes)
  // The digit differs, whatever it was before.
  altered[at] = bytes[at] === 0x39 ? 0x38 : 0x39
  return altered
})

/** Changes the last digit of the body, whatever it is part of, and keeps the signature (SPEC.md 4.2). */
export const digitAltered: Mutation = body('one digit of the body altered', (bytes) => {
  const at = bytes.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39)
  const altered = Buffer.from(bytes)
  altered[at] = bytes[at] === 0x39 ? 0x38 : 0x39
  return altered
})

/** Changes the body and keeps the signature of the original (SPEC.md 4). */
export function body(change: string, alter: (body: Buffer) => Buffer): Mutation {
  return (delivery) => ({ ...delivery, change, body: alter(delivery.body) })
}

/** Replaces a piece of the body's text and keeps the signature. */
export function bodyText(change: string, from: string, to: string): Mutation {
  return body(change, (bytes) => {
    const text = bytes.toString('utf8')
    const altered = text.replace(from, to)
    if (altered === text) throw new Error(`the body does not contain ${from}`)
    return Buffer.from(altered)
  })
}

/** Replaces the content type (SPEC.md 1). The delivery remains valid. */
export function headers(change: string, lines: readonly HeaderLine[]): Mutation {
  return (delivery) => {
    const others = delivery.headers.filter(([name]) => name.toLowerCase() !== 'content-type')
    return { ...delivery, change, headers: [...lines, ...others] }
  }
}

/** Adds header lines to those of the delivery (SPEC.md 12.5). */
export function withHeaders(change: string, ...lines: HeaderLine[]): Mutation {
  return (delivery) => ({ ...delivery, change, headers: [...delivery.headers, ...lines] })
}

/** Sends to another path or query of the same server (SPEC.md 12.4 and 12.6). */
export function routed(change: string, route: (path: string) => string): Mutation {
  return (delivery) => ({ ...delivery, change, route })
}

/** Fields that a part of the request names, besides those of the signed body. */
export type Named = Readonly<Record<string, string>>

/** Adds a query that names the fields. The delivery remains valid. */
export const inQuery = (named: Named): Mutation => {
  const added = new URLSearchParams(named).toString()
  return routed(`the query ${added}`, (path) => `${path}${path.includes('?') ? '&' : '?'}${added}`)
}

/** Adds headers and cookies that name the fields, in the spellings of webhook services. The delivery remains valid. */
export const inHeaders = (named: Named): Mutation => {
  const lines = Object.entries(named).flatMap(([name, value]) =>
    (SPELLINGS[name] ?? [`X-${name}`]).map((spelling): HeaderLine => [spelling, value]),
  )
  const cookies = Object.entries(named).map(([name, value]) => `${name}=${value}`)
  const [[first] = ['']] = lines
  return withHeaders(`${first} and ${lines.length} other headers that name fields`, ...lines, [
    'Cookie',
    cookies.join('; '),
  ])
}

const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  event: ['X-Event', 'X-Event-Type', 'X-Event-Name', 'X-Webhook-Event', 'X-Webhook-Topic', 'Event-Type'],
  status: ['X-Status', 'X-Payment-Status'],
  id: ['X-Id', 'X-Resource-Id'],
  payment_id: ['X-Payment-Id', 'Payment-Id'],
  order_id: ['X-Order-Id', 'Order-Id'],
  amount: ['X-Amount', 'X-Payment-Amount', 'Amount'],
  currency: ['X-Currency', 'Currency'],
  livemode: ['X-Livemode', 'X-Live-Mode'],
  test: ['X-Test', 'X-Test-Mode'],
}

/**
 * Sends with another method (SPEC.md 1.9), on a separate connection: a server that does not read the body of such a
 * request would take it for the next request.
 */
export function method(name: string): Mutation {
  return (delivery) => ({
    ...delivery,
    change: `the method ${name}`,
    method: name,
    transport: { kind: 'raw', version: '1.1' },
  })
}

/** Changes the case of the signature header's name (SPEC.md 1.4). The delivery remains valid. */
export function nameCase(nameCase: Delivery['nameCase']): Mutation {
  return (delivery) => ({ ...delivery, change: `the header name in ${nameCase}case`, nameCase })
}

/** Sends the bytes in another way (SPEC.md 1 and 10). The delivery remains valid. */
export function sentAs(change: string, transport: (body: Buffer) => Transport): Mutation {
  return (delivery) => ({ ...delivery, change, transport: transport(delivery.body) })
}

/** The lowercase hex HMAC of the concatenated chunks. */
export function hmac(hash: string, key: string | Uint8Array, ...chunks: (string | Uint8Array)[]): string {
  const mac = createHmac(hash, key)
  for (const chunk of chunks) mac.update(chunk)
  return mac.digest('hex')
}
