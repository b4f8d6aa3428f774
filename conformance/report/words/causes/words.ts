import type { CauseData, CauseForms, NothingAccepted } from '../../../diagnosis/statement.ts'
import type { Terms } from '../../../diagnosis/verifier.ts'
import { type SchemeTerms, termsOf } from '../scheme.ts'

/** What a report says of a cause. */
export interface Text {
  /** One sentence: what the receiver does wrong. */
  readonly sentence: string
  /** What to change, in one or two sentences. */
  readonly fix: string
  /** Set where the fix is to verify the raw body and the code of the cause does not say so. */
  readonly rawBody?: true
}

/** What is said of causes by what was observed; without that, what always holds. */
export type Words = {
  readonly [Code in keyof CauseData]: (data: CauseData[Code] | undefined, of: CauseTerms) => Text
}

/** What is said of each form of a mistake. */
export type Forms = { readonly [Code in keyof CauseForms]: (data: CauseForms[Code], of: CauseTerms) => Text }

/** What the words of causes take from a service. */
export interface CauseTerms extends SchemeTerms, Terms {
  /** How a verifier reads the header: "Split the header at each comma, …". */
  readonly byLabel: string
  /** The labels that it looks for: "t and v1". */
  readonly labels: string
  /** How to refuse what cannot be read, and a wrong signature: "Answer 400". */
  readonly refuse: string
  readonly refuseForged: string
  /** How to acknowledge: "answer 200". */
  readonly acknowledge: string
  /** What a receiver works on: "payment" or "delivery". */
  readonly item: string
  readonly items: string
  /** What it does with one: "fulfilled" or "handled". */
  readonly done: string
  /** By what it recognizes one: "the payment id", or "the field `id` of the body". */
  readonly key: string
}

/** What the words of causes take from a service. */
export function causeTermsOf(terms: Terms): CauseTerms {
  const { scheme, refusesWith, acknowledgedBy } = terms
  const { separator, label, time } = scheme.header
  const of = termsOf(scheme)
  const [from, to] = acknowledgedBy
  const names = (time === undefined ? [label] : [time, label]).map((one) => one.slice(0, -1))
  const labels = names.join(' and ')
  const separated = { ',': 'comma', ' ': 'space' }[separator] ?? separator
  return {
    ...terms,
    ...of,
    labels,
    byLabel: `Split the header at each ${separated}, split every entry at its first "${label.slice(-1)}", and pick the entries named ${labels}; ignore all others.`,
    refuse: refusesWith === undefined ? 'Refuse a delivery' : `Answer ${refusesWith.unreadable}`,
    refuseForged: refusesWith === undefined ? 'refuse the delivery' : `answer ${refusesWith.forged}`,
    ...itemOf(terms),
    acknowledge: from === to ? `answer ${from}` : `answer ${from} or another status up to ${to}`,
  }
}

function itemOf({ dedupe, scheme }: Terms): Pick<CauseTerms, 'item' | 'items' | 'done' | 'key'> {
  if (dedupe === undefined)
    return { item: 'payment', items: 'payments', done: 'fulfilled', key: 'the payment id' }
  const { in: place } = dedupe
  const key =
    typeof place === 'object' && 'field' in place
      ? `the field \`${place.field}\` of the body`
      : `the header ${place === 'id' ? scheme.stamps?.id : place.header}`
  return { item: 'delivery', items: 'deliveries', done: 'handled', key }
}

export const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** What valid deliveries got, as the beginning of a sentence. */
export function commonestText({ status, times, of, isAll }: NothingAccepted['received']): string {
  return `${isAll ? 'No' : 'Almost no'} valid delivery was accepted: ${times === of ? 'all' : `${times} of ${of}`} got ${status ?? 'no response'}`
}
