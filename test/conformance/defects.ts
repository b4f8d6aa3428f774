import type { CaseId } from '../../conformance/catalogue/index.ts'
import { OF_EFFECTS } from './defects-of-effects.ts'
import { OF_HANDLING } from './defects-of-handling.ts'
import { OF_VERIFICATION } from './defects-of-verification.ts'
import type { Behaviour } from './small-receiver.ts'

/** One thing that a receiver does wrong, as people do it, and the cases that must find it. */
export interface Defect {
  readonly does: Partial<Behaviour>
  readonly fails: readonly [CaseId, ...CaseId[]]
}

/** Single defects: each is told from a correct receiver by the cases beside it. */
export const DEFECTS: Readonly<Record<string, Defect>> = { ...OF_VERIFICATION, ...OF_HANDLING, ...OF_EFFECTS }
