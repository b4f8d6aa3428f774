import type { Attempt } from '../../model.ts'
import type { Mark } from '../shared/delivery-view.ts'

/** An attempt as the screen of its event shows it. */
export interface AttemptView {
  readonly number: number
  readonly at: number
  readonly mark: Mark
  readonly durationMs: number
  /** What is worth saying beside the mark. */
  readonly detail: string | undefined
  /** The request's head; undefined when nothing was sent. */
  readonly request: string | undefined
  /** The text that was signed: `t`, a dot, the body. Interface 5.3 rule 3. */
  readonly signed: string | undefined
  readonly response: { readonly head: string; readonly body: string; readonly bytes: number } | undefined
}

/** @param body the bytes that were sent */
export function attemptView(attempt: Attempt, body: Uint8Array): AttemptView {
  const { number, startedAt, durationMs, status, error, detail } = attempt
  const { requestHeaders, responseHeaders, responseBody } = attempt
  const wasSent = Object.keys(requestHeaders).length > 0
  const t = /(?:^|,)t=(\d+)/.exec(requestHeaders['X-Service-Signature'] ?? '')?.[1]
  return {
    number,
    at: startedAt,
    mark: markOf(status, error),
    durationMs,
    detail: detail ?? undefined,
    request: wasSent ? linesOf(requestHeaders) : undefined,
    signed: t === undefined ? undefined : `${t}.${textOf(body)}`,
    response:
      responseHeaders === null
        ? undefined
        : {
            head: linesOf(responseHeaders),
            body: textOf(responseBody ?? new Uint8Array()),
            bytes: responseBody?.length ?? 0,
          },
  }
}

function markOf(status: number | null, error: string | null): Mark {
  if (status === null) return { text: error ?? 'no answer', tone: error === 'aborted' ? 'dull' : 'bad' }
  if (status === 200) return { text: '200', tone: 'good' }
  return { text: String(status), tone: status > 200 && status < 300 ? 'odd' : 'bad' }
}

const linesOf = (headers: Record<string, string | string[]>): string =>
  Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n')

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
