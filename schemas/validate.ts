import { branchOf } from './branch.ts'
import { validator } from './compile.ts'
import type { SchemaName } from './names.ts'
import { type Violation, violations } from './violation.ts'

export type { SchemaName } from './names.ts'
export type { Violation } from './violation.ts'

/**
 * Validates a value against one of the JSON Schemas of this folder (SPEC.md 8 for events, 9 for observations). For the
 * two event schemas only the branch that the value claims to be is checked, so that violations are about that branch.
 * @param name the schema's file name without .json; it is compiled on first use
 * @param value anything that JSON.parse can return
 * @returns every violation; empty when the value is valid
 */
export function validate(name: SchemaName, value: unknown): Violation[] {
  const isEvent = name === 'event.strict' || name === 'event.tolerant'
  const branch = isEvent ? branchOf(name, value) : undefined
  if (typeof branch === 'object') return [branch]
  const check = validator(name, branch)
  return check(value) ? [] : violations(check.errors ?? [])
}

const MOST_EXPLAINED = 3

/**
 * One line for people: the first three paths with what is expected there, and how many more there are. Empty without
 * violations.
 * @param found the violations from {@link validate}
 */
export function explain(found: readonly Violation[]): string {
  const shown = found
    .slice(0, MOST_EXPLAINED)
    .map(({ path, expected }) => `${path || '(root)'}: expected ${expected}`)
  const more = found.length - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
