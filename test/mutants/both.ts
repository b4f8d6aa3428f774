import type { Behavior } from './behavior.ts'
import { MUTANTS } from './mutants.ts'
import { settingOf } from './proof/grade.ts'
import type { Setting } from './receiver.ts'

/**
 * A receiver that makes the mistakes of two mutants.
 *
 * @throws Error when there is no such mutant, or both change the same part of the behavior
 */
export function both(one: string, other: string): Setting {
  const [a, b] = [behaviorOf(one), behaviorOf(other)]
  const shared = Object.keys(a).filter((part) => part in b)
  if (shared.length > 0) throw new Error(`"${one}" and "${other}" both change ${shared.join(', ')}`)
  return { behavior: { ...a, ...b } }
}

function behaviorOf(name: string): Partial<Behavior> {
  const mutant = MUTANTS[name]
  if (mutant === undefined) throw new Error(`there is no mutant "${name}"`)
  return settingOf(mutant).behavior ?? {}
}
