import colors from 'picocolors'
import type { Scheme } from '../../../conformance/contracts/webhook/scheme.ts'
import type { RefusalReason } from '../../../conformance/diagnosis/mismatch/dissect.ts'
import type { WireError } from '../../../conformance/engine/exchange.ts'
import { printable } from '../../../conformance/report/text.ts'
import { wireText } from '../../../conformance/report/words/failures.ts'
import { refusalText } from '../../../conformance/report/words/signature.ts'
import { type Io, usesColor } from '../../shared/io.ts'
import { oneLine } from '../../shared/text.ts'

/** What `hookproof listen --port` prints, a line of JSON each with `--json`. */
export type RelayEvent =
  | { readonly type: 'ready'; readonly url: string; readonly forward_to: readonly string[] }
  | {
      readonly type: 'request'
      readonly method: string
      readonly path: string
      readonly bytes: number
      /** Why a receiver refuses it, or `valid`; absent without a signing secret. */
      readonly signature?: RefusalReason | 'valid'
      /** The file with the delivery; null if it was not saved, absent without `--capture`. */
      readonly capture?: string | null
    }
  | {
      readonly type: 'response'
      readonly forward_to: string
      readonly status: number | null
      readonly error: WireError | null
      readonly ms: number
    }

/** A line for people. */
export function relayLine(event: RelayEvent, io: Io, scheme: Scheme): string {
  const { dim, green, red } = colors.createColors(usesColor(io))
  const time = dim(new Date().toTimeString().slice(0, 8))
  if (event.type === 'ready') {
    const [first, ...others] = event.forward_to
    const more =
      others.length === 0 ? '' : `, and to ${others.join(' and ')}, whose responses it does not get`
    const what =
      first === undefined
        ? 'Every request gets 200: add --forward-to to forward it'
        : `Requests are forwarded to ${first}, whose response the sender gets${more}`
    return `Listening on ${event.url}. ${what}. Press Ctrl-C to stop.`
  }
  if (event.type === 'response') {
    const { forward_to: to, status, error, ms } = event
    const outcome =
      status === null ? (error === null ? 'no response' : wireText(error)) : `${status} in ${ms} ms`
    const paint = status !== null && status >= 200 && status < 300 ? green : red
    return `${time}  <-- ${to}  ${paint(outcome)}`
  }
  const { method, path, bytes, signature, capture } = event
  const parts = [
    `--> ${method} ${printable(oneLine(path))}`,
    `${bytes} bytes`,
    ...(signature === undefined
      ? []
      : [signature === 'valid' ? green('signature valid') : red(refusalText(signature, scheme))]),
    ...(capture == null ? [] : [capture]),
  ]
  return [time, ...parts].join('  ')
}
