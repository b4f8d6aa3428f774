import type { Family } from './families/family.ts'
import type { Level } from './model.ts'

/** Where a service states a requirement. */
export interface Quote {
  readonly address: string
  readonly section: string
  /** A short quote. */
  readonly quote: string
  /** The day on which it was read. */
  readonly read: `${number}-${number}-${number}`
}

/** What is only good practice. */
interface Practice {
  readonly practice: string
}

/** What obliges a receiver: the service states it, or breaking it lets somebody without the secret do harm. */
type Obligation = Quote | { readonly harm: string }

/** Why a requirement holds. */
export type Source = Obligation | Practice

/** A requirement of a service, and the cases that test it. */
export interface ServiceRequirement {
  readonly level: Level
  readonly sentence: string
  readonly source: Source
  readonly family: Family
}

/** A requirement that obliges. What is only good practice is none. */
export function must(sentence: string, source: Obligation, family: Family): ServiceRequirement {
  return { level: 'MUST', sentence, source, family }
}

/** A requirement whose failure is a warning. */
export function should(sentence: string, source: Source, family: Family): ServiceRequirement {
  return { level: 'SHOULD', sentence, source, family }
}

/** Where a requirement comes from, in one line. */
export function sourceText(source: Source): string {
  if ('harm' in source) return source.harm
  if ('practice' in source) return source.practice
  const { address, section, quote, read } = source
  return `“${quote}” (${section}, ${address}, read on ${read})`
}
