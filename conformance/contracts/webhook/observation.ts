import type { Handled, Observation as OfPayment } from '../../../schemas/types.ts'
import type { Got, Unreadable } from '../../engine/errors.ts'
import type { ObservationReader } from '../../engine/observe/observe.ts'

const loadValidator = () => import('../../../schemas/validate.ts')
let validator: ReturnType<typeof loadValidator> | undefined

/** What receivers show, by the name of its schema. */
interface Shown {
  readonly observation: OfPayment
  readonly handled: Handled
}

/**
 * Reads what a receiver shows, as a schema describes it.
 *
 * @param schema the name of the schema
 * @param effects the effects in what is valid by it, oldest first
 */
export function readBy<Name extends keyof Shown, Effect>(
  schema: Name,
  effects: (shown: Shown[Name]) => readonly Effect[],
): ObservationReader<Effect>['read'] {
  return async (shown) => {
    // Loaded once, and only by a run that observes effects.
    validator ??= loadValidator()
    const { validate } = await validator
    const violations = validate(schema, shown)
    if (violations.length === 0) return effects(shown as Shown[Name])
    const places = violations
      .slice(0, MOST_NAMED)
      .map(({ path, expected }) => ({ path, expected, got: gotAt(shown, path) }))
    return { code: 'unreadable', places, more: violations.length - places.length } satisfies Unreadable
  }
}

/** One time that a receiver handled a delivery: all that it shows where the service has no effects of its own. */
export interface ShownHandling {
  readonly handled: true
}

/** A higher count is read as this one. */
const MOST_HANDLINGS = 1_000

/** How a receiver shows how often it handled a delivery, by what its service identifies deliveries by. */
export const handlings: ObservationReader<ShownHandling> = {
  key: 'key',
  read: readBy('handled', ({ handled }) =>
    Array.from({ length: Math.min(handled, MOST_HANDLINGS) }, () => ({ handled: true as const })),
  ),
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
