import type { CauseData, CauseForms, NothingAccepted } from '../../../diagnosis/statement.ts'

/** What a report says of a cause. */
export interface Text {
  /** One sentence: what the receiver does wrong. */
  readonly sentence: string
  /** What to change, in one or two sentences. */
  readonly fix: string
}

/** What is said of causes by what was observed; without that, what always holds. */
export type Words = { readonly [Code in keyof CauseData]: (data?: CauseData[Code]) => Text }

/** What is said of each form of a mistake. */
export type Forms = { readonly [Code in keyof CauseForms]: (data: CauseForms[Code]) => Text }

export const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
export const either = (values: readonly (number | string)[]) => values.join(' or ')

/** What valid deliveries got, as the beginning of a sentence. */
export function commonestText({ status, times, of, isAll }: NothingAccepted['received']): string {
  return `${isAll ? 'No' : 'Almost no'} valid delivery was accepted: ${times === of ? 'all' : `${times} of ${of}`} got ${status ?? 'no response'}`
}
