import type { ReportAnswer, ReportDelivery, ReportExchange } from '../../schemas/types.ts'
import type { Exchange } from '../contracts/webhook/model.ts'
import type { Target } from '../contracts/webhook/target.ts'
import { headerLines } from '../engine/wire/request.ts'
import { hiddenValues, ownTextRedactor, redactor, shownUrl, valueHider } from './redact.ts'
import { wireText } from './words/failures.ts'

/** How much of a body is kept: in bytes for a delivery, in characters for an answer. */
const SHOWN_BYTES = 4096

/** Shows what was sent and received, without secrets. */
export interface Shown {
  readonly exchange: (exchange: Exchange) => ReportExchange
  /** A response without the values of the user's own headers, too. */
  readonly answer: (answer: NonNullable<Exchange['answer']>) => ReportAnswer
}

/** Prepares once for all exchanges with a target what hides its secrets. */
export function shownFor(target: Target): Shown {
  const redact = once(ownTextRedactor(target.secret))
  const hide = valueHider([...target.headers.map(([, value]) => value), ...hiddenValues(target.url)])
  // Redact before cutting: half a secret would not be found.
  const redactReceived = redactor(target.secret)
  const clean = once((text) => redactReceived(hide(text)))
  const own = new Set(target.headers.map(([name]) => name))
  const path = shownUrl(target.url).slice(target.url.origin.length)

  const toDelivery = (delivery: Exchange['delivery']): ReportDelivery => ({
    event: delivery.event ?? null,
    paymentId: delivery.key ?? null,
    change: delivery.change ?? null,
    method: delivery.method,
    path: redact(delivery.route?.(path) ?? path),
    headers: headerLines(delivery, target).map(([name, value]): [string, string] => [
      name,
      // A header of the user may hold the credentials of a staging server, so its value is not shown.
      own.has(name) ? '[not shown]' : shorten(redact(value)),
    ]),
    body: toBody(delivery.body, redact),
    transport: delivery.transport?.kind ?? null,
  })
  const toAnswer: Shown['answer'] = (answer) => {
    const text = decode(answer.body, answer.truncated)
    return {
      status: answer.status,
      headers: answer.headers.map(([name, value]): [string, string] => [
        shorten(clean(name)),
        shorten(clean(value)),
      ]),
      body: {
        text: text === undefined ? '[not UTF-8]' : clean(text).slice(0, SHOWN_BYTES),
        bytes: answer.body.length,
        truncated: answer.truncated || answer.body.length > SHOWN_BYTES,
      },
      ms: roundMs(answer.ms),
    }
  }
  return {
    exchange({ delivery, answer, error, unanswered }) {
      let shown: ReportDelivery | undefined
      return {
        label: delivery.change ?? 'valid delivery',
        role: delivery.role,
        // Made when it is read: a terminal shows no delivery of a case that passed.
        get delivery() {
          return (shown ??= toDelivery(delivery))
        },
        answer: answer === undefined ? null : toAnswer(answer),
        error: error === undefined ? (unanswered === true ? 'aborted as planned' : null) : wireText(error),
        ...(error !== undefined && { errorCode: error.code }),
      }
    },
    answer: toAnswer,
  }
}

/** Texts up to this length, such as the values of usual headers, are the same in many exchanges. */
const REPEATED_CHARACTERS = 64

/** Remembers what became of short texts. */
function once(change: (text: string) => string): (text: string) => string {
  const changed = new Map<string, string>()
  return (text) => {
    if (text.length > REPEATED_CHARACTERS) return change(text)
    const known = changed.get(text) ?? change(text)
    changed.set(text, known)
    return known
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

const strictDecoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const WHOLE = strictDecoder()

/** Decodes strictly, so that a report never shows a different body; the cut may be inside a character. */
function decode(bytes: Buffer, cut: boolean): string | undefined {
  try {
    return cut ? strictDecoder().decode(bytes, { stream: true }) : WHOLE.decode(bytes)
  } catch {
    return undefined
  }
}

function shorten(value: string): string {
  return value.length > 512 ? `${value.slice(0, 512)}... (${value.length} characters)` : value
}

/** Milliseconds with one decimal. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10
}
