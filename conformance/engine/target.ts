import type { Delivery, HeaderLine } from './delivery.ts'
import type { Trust } from './wire/trust.ts'

/** The receiver under test, and how to send to it. */
export interface Target {
  readonly url: URL
  /** All header lines of a delivery, in order, except those that HTTP itself needs, such as Host and Content-Length. */
  linesOf(this: void, delivery: Delivery): readonly HeaderLine[]
  /** How long to wait for a response, in milliseconds. */
  readonly timeoutMs: number
  /** Which certificates to trust. */
  readonly trust?: Trust | undefined
}

const THIS_MACHINE = /^(?:localhost|127\.[\d.]+|\[::1\])$/

/** Whether a server is reached within this machine. */
export const isOnThisMachine = ({ hostname }: URL): boolean => THIS_MACHINE.test(hostname)

/** Other addresses of this machine, from which such a server can be reached as other clients would: each of them has its own. */
const ELSEWHERE = { attacker: '127.0.0.2', other: '127.0.0.3' }

/** The address of another client, where this machine has one. */
export const elsewhereOf = ({ url }: Pick<Target, 'url'>, who: keyof typeof ELSEWHERE): string | undefined =>
  isOnThisMachine(url) ? ELSEWHERE[who] : undefined
