import type { CaseOfRequirement as AnyCase } from '../webhook/model.ts'
import { requirement as anyRequirement, type DeclareRequirement } from '../webhook/section.ts'
import type { Kit } from './kit.ts'
import type { CONTRACT } from './requirements/contract.generated.ts'

export { section } from '../webhook/section.ts'

/** Declares the cases of one requirement of SPEC.md; a misquoted one does not compile. */
export const requirement: DeclareRequirement<(typeof CONTRACT)[number]['sentence'], Kit> = anyRequirement

/** A case as it is declared below its requirement. */
export type CaseOfRequirement = AnyCase<Kit>
