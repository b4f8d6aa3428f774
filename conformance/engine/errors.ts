import type { Answer, WireError } from './exchange.ts'

/** What stands in an observation instead of what its schema requires, without the value itself, which may be a secret. */
export type Got =
  | { readonly kind: 'nothing' | 'null' | 'list' | 'object' }
  /** A field is missing beside these. */
  | { readonly kind: 'fields'; readonly names: readonly string[] }
  | { readonly kind: 'text'; readonly length: number }
  /** A number, a truth value or a short text, as JSON. */
  | { readonly kind: 'value'; readonly type: string; readonly json: string }

/** How an observation violates its schema: the first places, and how many more there are. */
export interface Unreadable {
  readonly code: 'unreadable'
  readonly places: readonly { readonly path: string; readonly expected: string; readonly got: Got }[]
  readonly more: number
}

/** Why an observation failed. */
export type ObservationFailure =
  | Unreadable
  | { readonly code: 'too_long'; readonly bytes: number }
  | { readonly code: 'too_deep'; readonly levels: number }
  /** `last` is the last line of a command's standard error. */
  | { readonly code: 'too_late'; readonly ms: number; readonly last?: string }
  | { readonly code: 'not_json'; readonly looks?: 'empty' | 'html' | 'single_quotes' | undefined }
  | { readonly code: 'exited'; readonly status: number | string | undefined; readonly last: string }
  /** A function threw, or the compression is broken: what the runtime says about it. */
  | { readonly code: 'threw' | 'undecodable'; readonly thrown: string }
  | { readonly code: 'other_status'; readonly status: number | undefined }
  | { readonly code: 'unknown_encoding'; readonly encoding: string | undefined }

/** Why a receiver still runs after a kill. */
export type NotKilled =
  | { readonly code: 'still_listening'; readonly host: string }
  | { readonly code: 'still_running' }
  | { readonly code: 'kill_command_late'; readonly ms: number }
  | { readonly code: 'kill_command_failed'; readonly status: number | null; readonly signal: string | null }

/** Why a receiver did not start, with the last line that it printed. */
export type NotStarted = {
  /** The most telling line of what it printed. */
  readonly last: string | undefined
  /** The address of a killed process can stay taken for a minute, which is a matter of the socket's options. */
  readonly isAddressTaken: boolean
} & (
  | { readonly code: 'ended'; readonly how: string }
  | { readonly code: 'not_listening'; readonly host: string; readonly ms: number }
  | { readonly code: 'no_answer'; readonly error: WireError | undefined }
  | { readonly code: 'not_accepted'; readonly status: number }
)

/** Why a run could not take place, as data; report/words/failures.ts has the words. None means anything about the receiver. */
export type EngineFailure =
  | {
      readonly code: 'unreachable'
      readonly of: 'receiver' | 'observer'
      readonly address: string
      readonly error: WireError | undefined
      /** It responds only if no other connection to it is open. */
      readonly isOneAtATime?: boolean
    }
  | { readonly code: 'no_endpoint'; readonly url: string; readonly answer: Answer }
  /** After so many deliveries, it gave every valid one the status of this answer. */
  | {
      readonly code: 'rate_limited' | 'blocked' | 'unavailable'
      readonly url: string
      readonly answer: Answer
      readonly after: number
    }
  /** `source` is a URL or a command; a function has none. */
  | {
      readonly code: 'observation_failed'
      readonly source: string | undefined
      readonly why: ObservationFailure
    }
  | { readonly code: 'seed_used'; readonly seed: string }
  | { readonly code: 'not_started'; readonly why: NotStarted }
  | { readonly code: 'not_killed'; readonly why: NotKilled }
  /** A case could not be sent. */
  | { readonly code: 'internal'; readonly case: string; readonly thrown: string }

/** The run could not take place. Its message is a code: what people read is made of `failure`. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly failure: EngineFailure

  constructor(failure: EngineFailure, options?: ErrorOptions) {
    super(failure.code, options)
    this.failure = failure
  }
}
