import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { ApiKey, Payment } from '../model.ts'
import { ApiError } from './errors.ts'

/** How long a key is valid, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

const LONGEST_KEY = 255

/**
 * Creates a payment, or returns the one that an earlier request with the same Idempotency-Key created. The interface does
 * not mention it, but merchants need it when a connection breaks. 422 if the key was used with a different request.
 * @returns the payment, and whether it existed already
 */
export function onceOnly(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { organisationId, mode }: ApiKey,
  { key, body }: { key: string | undefined; body: unknown },
  create: () => Payment,
): { payment: Payment; replayed: boolean } {
  if (key === undefined) return { payment: create(), replayed: false }
  if (key === '' || key.length > LONGEST_KEY) {
    throw new ApiError(400, `Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`)
  }
  const requestHash = createHash('sha256').update(canonical(body)).digest()
  return store.transaction(() => {
    store.idempotency.purge(clock.now() - KEPT_MS)
    const known = store.idempotency.get(organisationId, mode, key)
    if (known === undefined) {
      const payment = create()
      store.idempotency.insert({
        organisationId,
        mode,
        key,
        requestHash,
        paymentId: payment.id,
        createdAt: payment.createdAt,
      })
      return { payment, replayed: false }
    }
    const payment = store.payments.get(known.paymentId)
    if (payment === undefined || !requestHash.equals(known.requestHash)) {
      throw new ApiError(
        422,
        'This Idempotency-Key was already used with a different request. Use a new one.',
      )
    }
    return { payment, replayed: true }
  })
}

/** JSON with sorted object keys, so that the order of fields does not matter. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`
}
