import type { Delivery, HeaderLine } from './delivery.ts'

/** A receiver's response. */
export interface Answer {
  readonly status: number
  /** The text after the status, where it is not the usual one. */
  readonly reason?: string
  readonly headers: readonly HeaderLine[]
  /** At most the first 64 KiB; `truncated` is set when there was more. */
  readonly body: Buffer
  readonly truncated: boolean
  /** Milliseconds from the first byte sent to the head of the response, without the stalls of this process. */
  readonly ms: number
  /** The same with those stalls: how long the receiver had; absent when there was none. */
  readonly wallMs?: number
}

/** Why there is no response. */
export interface WireError {
  readonly code: 'refused' | 'reset' | 'timeout' | 'dns' | 'tls' | 'unreachable' | 'garbled' | 'local'
  /** The error code of Node.js, such as `ECONNREFUSED`, if there is one. */
  readonly nodeCode?: string
  /** How long this machine waited, in milliseconds, if it was what gave up. */
  readonly afterMs?: number
  /** Set when the receiver was still answering what was sent before. */
  readonly isQueued?: true
  /** Set when a second connection ended like the first. */
  readonly wasRepeated?: true
}

/** A delivery and its response, or why there is none. */
export interface Exchange<D extends Delivery = Delivery> {
  readonly delivery: D
  readonly answer: Answer | undefined
  readonly error: WireError | undefined
  /** Set for a delivery that expects no response, such as one that stops in the middle. */
  readonly unanswered?: true
  /** Set for a delivery that came from another address than those of the run. */
  readonly isFromElsewhere?: true
}

const ONLY_200 = [200, 200] as const

/** Whether the receiver acknowledged a delivery. */
export function isAcknowledged({ delivery, answer }: Pick<Exchange, 'delivery' | 'answer'>): boolean {
  const [from, to] = delivery.acknowledgedBy ?? ONLY_200
  return answer !== undefined && answer.status >= from && answer.status <= to
}
