import type { Call } from './trace.ts'

/** A 200 that a receiver sent. */
export interface Acknowledgment {
  /** The payment id of the delivery; undefined if the trace does not show the request. */
  readonly paymentId: string | undefined
  readonly call: Call
}

/** The payment ids in some bytes; those of the fixtures all have this form. */
export const paymentIdsIn = (data: Buffer): string[] =>
  data.toString('latin1').match(/tx_[0-9A-Za-z]{20}/g) ?? []

/** The 200s in a trace of a receiver whose clients send one request at a time on each connection. */
export function acknowledgmentsIn(calls: readonly Call[]): Acknowledgment[] {
  const requests = new Map<string, string>()
  const acknowledgments: Acknowledgment[] = []
  for (const call of calls) {
    const { name, path, data } = call
    if (name === 'read') {
      const [paymentId] = paymentIdsIn(data)
      if (paymentId !== undefined) requests.set(path, paymentId)
    } else if (data.toString('latin1', 0, 12) === 'HTTP/1.1 200') {
      acknowledgments.push({ paymentId: requests.get(path), call })
      requests.delete(path)
    }
  }
  return acknowledgments
}
