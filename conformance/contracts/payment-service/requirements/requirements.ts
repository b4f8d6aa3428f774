import type { Level } from '../model.ts'

/** What a version of the contract requires: the level of each requirement, and the cases that test it. */
export type RequirementsOfVersion = Readonly<
  Record<string, { readonly level: Level; readonly cases: readonly string[] }>
>
