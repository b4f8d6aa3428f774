import { eventTarget } from './branch.ts'
import { validator } from './compile.ts'
import type { SchemaName } from './names.ts'
import { type Violation, violations } from './violation.ts'

export type { SchemaName } from './names.ts'
export type { Violation } from './violation.ts'

/**
 * Holds a value against one of the JSON Schemas of this folder. For the two event schemas only the branch that the
 * value claims to be is tried, so that what comes back is about that branch.
 * @param name the schema's file name without .json; it is compiled on first use and once
 * @param value anything that JSON.parse can return
 * @returns every violation in the order of the schema; none means valid
 */
export function validate(name: SchemaName, value: unknown): Violation[] {
  const target =
    name === 'event.strict' || name === 'event.tolerant' ? eventTarget(name, value) : `${name}.json`
  if (typeof target !== 'string') return [target]
  const check = validator(target)
  return check(value) ? [] : violations(check.errors ?? [])
}

/**
 * One line for people: each path and what was expected there.
 * @param found what {@link validate} returned
 */
export function explain(found: readonly Violation[]): string {
  return found.map(({ path, expected }) => `${path || '(root)'}: expected ${expected}`).join('; ')
}
