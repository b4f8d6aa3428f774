import type { ReportAnswer, ReportDelivery, ReportExchange } from '../../schemas/types.ts'
import type { Exchange } from '../case/model.ts'
import { headerLines } from '../deliver/head.ts'
import type { Target } from '../run/target.ts'
import { redactor, valueHider } from './redact.ts'
import { hiddenValues, shownUrl } from './url.ts'

/** How much of a body is kept: in bytes for a delivery, in characters for an answer. */
const SHOWN_BYTES = 4096

/** A delivery and its response without secrets. */
export function toExchange(
  exchange: Exchange,
  target: Target,
  redact: (text: string) => string,
): ReportExchange {
  const { delivery, answer, error } = exchange
  return {
    label: delivery.change ?? 'valid delivery',
    role: delivery.role,
    delivery: toDelivery(exchange, target, redact),
    answer: answer === undefined ? null : toAnswer(answer, target),
    error: error?.message ?? (exchange.unanswered === true ? 'aborted as planned' : null),
  }
}

function toDelivery(
  { delivery }: Exchange,
  target: Target,
  redact: (text: string) => string,
): ReportDelivery {
  const own = new Set(target.headers.map(([name]) => name))
  const headers = headerLines(delivery, target).map(([name, value]): [string, string] => [
    name,
    // A header of the user may hold the credentials of a staging server, so its value is not shown.
    own.has(name) ? '[not shown]' : shorten(redact(value)),
  ])
  return {
    event: delivery.event ?? null,
    paymentId: delivery.paymentId ?? null,
    change: delivery.change ?? null,
    method: delivery.method,
    path: redact((delivery.route ?? ((path) => path))(shownUrl(target.url).slice(target.url.origin.length))),
    headers,
    body: toBody(delivery.body, redact),
    transport: delivery.transport?.kind ?? null,
  }
}

/** A response without secrets and without the values of the user's own headers. */
export function toAnswer(answer: NonNullable<Exchange['answer']>, target: Target): ReportAnswer {
  const hide = valueHider([...target.headers.map(([, value]) => value), ...hiddenValues(target.url)])
  // Redact before cutting: half a secret would not be found.
  const redact = redactor(target.secret)
  const clean = (text: string) => redact(hide(text))
  const text = decode(answer.body, answer.truncated)
  return {
    status: answer.status,
    headers: answer.headers.map(([name, value]): [string, string] => [name, shorten(clean(value))]),
    body: {
      text: text === undefined ? '[not UTF-8]' : clean(text).slice(0, SHOWN_BYTES),
      bytes: answer.body.length,
      truncated: answer.truncated || answer.body.length > SHOWN_BYTES,
    },
    ms: round(answer.ms),
  }
}

function toBody(bytes: Buffer, redact: (text: string) => string): ReportDelivery['body'] {
  const truncated = bytes.length > SHOWN_BYTES
  const shown = truncated ? bytes.subarray(0, SHOWN_BYTES) : bytes
  const decoded = decode(shown, truncated)
  // No page can show NUL: the bytes of UTF-16 are no text here, although they are valid UTF-8.
  const text = decoded?.includes('\0') === true ? undefined : decoded
  return {
    text: text === undefined ? null : redact(text),
    base64: text === undefined ? shown.toString('base64') : null,
    bytes: bytes.length,
    truncated,
  }
}

/** Decodes strictly, so that a report never shows a different body; the cut may be inside a character. */
function decode(bytes: Buffer, cut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut })
  } catch {
    return undefined
  }
}

function shorten(value: string): string {
  return value.length > 512 ? `${value.slice(0, 512)}... (${value.length} characters)` : value
}

/** Milliseconds with one decimal. */
export function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
