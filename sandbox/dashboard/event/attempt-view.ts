import type { Attempt } from '../../model.ts'
import type { Badge } from '../shared/badge.ts'

/** An attempt as the screen of its event shows it. */
export interface AttemptView {
  readonly number: number
  readonly at: number
  readonly badge: Badge
  /** Whether the receiver answered as to a wrong signature: 400 or 401. */
  readonly isRefusal: boolean
  readonly durationMs: number
  /** More about the result than the badge shows. */
  readonly detail: string | undefined
  /** The request headers; undefined if nothing was sent. */
  readonly requestHeaders: string | undefined
  /** The text that was signed: `t`, a dot, the body. Interface 5.3 rule 3. */
  readonly signedPayload: string | undefined
  readonly response: { readonly headers: string; readonly body: string; readonly bytes: number } | undefined
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
    badge: badgeOf(status, error),
    isRefusal: status === 400 || status === 401,
    durationMs,
    detail: detail ?? undefined,
    requestHeaders: wasSent ? headerLines(requestHeaders) : undefined,
    signedPayload: t === undefined ? undefined : `${t}.${textOf(body)}`,
    response:
      responseHeaders === null
        ? undefined
        : {
            headers: headerLines(responseHeaders),
            body: textOf(responseBody ?? new Uint8Array()),
            bytes: responseBody?.length ?? 0,
          },
  }
}

function badgeOf(status: number | null, error: string | null): Badge {
  if (status === null) {
    return { text: error ?? 'no response', tone: error === 'aborted' ? 'neutral' : 'error' }
  }
  if (status === 200) return { text: '200', tone: 'success' }
  return { text: String(status), tone: status > 200 && status < 300 ? 'warning' : 'error' }
}

const headerLines = (headers: Record<string, string | string[]>): string =>
  Object.entries(headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n')

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
