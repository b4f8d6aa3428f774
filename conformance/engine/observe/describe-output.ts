import type { Violation } from '../../../schemas/validate.ts'

/** Only the first violations are named: one mistake usually shows in every effect. */
const MOST_NAMED = 3

/**
 * What an observation should contain and contains instead: `/effects/0/amount: expected decimal text such as "25.00", got
 * the number 25`.
 *
 * @param value the output, parsed
 * @param found its violations of schemas/observation.json
 */
export function describeViolations(value: unknown, found: readonly Violation[]): string {
  const named = found
    .slice(0, MOST_NAMED)
    .map(({ path, expected }) => `${path || '(root)'}: expected ${expected}, got ${gotAt(value, path)}`)
  const more = found.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Why an output is not JSON, as words to follow "not JSON"; empty when nothing is known. */
export function describeNoJson(output: string): string {
  const text = output.trim()
  if (text === '') return ': it is empty'
  if (text.startsWith('<')) return ': it is HTML'
  return /^[[{]+'/.test(text) ? ': strings need double quotes, as json.dumps writes them' : ''
}

function gotAt(value: unknown, path: string): string {
  let place = value
  for (const key of path.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(Object(place), name)) return fieldsOf(place)
    place = Object(place)[name]
  }
  return kindOf(place)
}

/** The fields instead of one that is missing. */
function fieldsOf(value: unknown): string {
  const names = Object.keys(Object(value))
  return names.length === 0
    ? 'no field'
    : `only ${names.slice(0, 6).map(shortened).join(', ')}${names.length > 6 ? ' and others' : ''}`
}

/** A name may hold anything, such as a secret: a longer one is cut. */
const shortened = (name: string) => (name.length < 16 ? name : `${name.slice(0, 12)}...`)

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  // Longer text may be a secret, which no message shows.
  if (typeof value === 'string')
    return value.length < 16 ? JSON.stringify(value) : `text of ${value.length} characters`
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`
}
