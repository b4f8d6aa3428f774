import type { Effect, Observation as Shown } from '../../../schemas/types.ts'
import type { Got, Unreadable } from '../../engine/errors.ts'
import type { Observation } from '../../engine/observe/observe.ts'

/** How a receiver shows what it did for a payment (SPEC.md 9). */
export const observation: Observation<Effect> = { key: 'payment_id', read }

/** What a receiver shows that has these effects: a function in `observe` returns no more than them. */
export const shownBy = (effects: unknown) => ({ effects })

const loadValidator = () => import('../../../schemas/validate.ts')
let validator: ReturnType<typeof loadValidator> | undefined

async function read(shown: unknown): Promise<readonly Effect[] | Unreadable> {
  // Loaded once, and only by a run that observes effects.
  validator ??= loadValidator()
  const { validate } = await validator
  const violations = validate('observation', shown)
  if (violations.length === 0) return (shown as Shown).effects
  const places = violations
    .slice(0, MOST_NAMED)
    .map(({ path, expected }) => ({ path, expected, got: gotAt(shown, path) }))
  return { code: 'unreadable', places, more: violations.length - places.length }
}

/** Only the first violations are named: one mistake usually shows in every effect. */
const MOST_NAMED = 3
/** A message names fewer fields, and says that there are others: there may be a hundred thousand. */
const MOST_FIELDS = 10
/** Longer text may be a secret, which no message shows. */
const SHORT = 16

function gotAt(value: unknown, path: string): Got {
  let place = value
  for (const key of path.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(Object(place), name))
      return { kind: 'fields', names: Object.keys(Object(place)).slice(0, MOST_FIELDS).map(shortened) }
    place = Object(place)[name]
  }
  return kindOf(place)
}

/** A name may hold anything, too. */
const shortened = (name: string) => (name.length < SHORT ? name : `${name.slice(0, 12)}...`)

function kindOf(value: unknown): Got {
  if (value === undefined) return { kind: 'nothing' }
  if (value === null) return { kind: 'null' }
  if (Array.isArray(value)) return { kind: 'list' }
  if (typeof value === 'object') return { kind: 'object' }
  if (typeof value === 'string' && value.length >= SHORT) return { kind: 'text', length: value.length }
  return { kind: 'value', type: typeof value, json: JSON.stringify(value) }
}
