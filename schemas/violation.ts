import type { ErrorObject } from 'ajv/dist/2020.js'

/** One place where a value departs from its schema. */
export interface Violation {
  /** JSON pointer to the place; empty for the value as a whole. */
  path: string
  /** What was expected there, in words that follow "expected": `one of "live", "test", "both"`. */
  expected: string
}

const TYPES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'text',
}

/** What is said of a field that has to be there. */
export const REQUIRED = 'a value: this field is required'

/** Turns the errors of ajv into violations, one for each thing to mend. */
export function violations(errors: readonly ErrorObject[]): Violation[] {
  const needed = errors.filter((error) => !errors.some((other) => saysMore(other, error)))
  const telling = needed.filter((error) => !needed.some((other) => saysWhere(other, error)))
  // Of a value of another type nothing further is worth saying.
  const wrong = telling.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === '')
  const found = (wrong === undefined ? telling : [wrong]).map(violation)
  const texts = found.map(({ path, expected }) => `${path} ${expected}`)
  return found.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}

/** `one of "a", "b"`, as JSON writes the values; a single value goes without "one of". */
export function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value))
  return texts.length === 1 ? String(texts[0]) : `one of ${texts.join(', ')}`
}

/** Whether `other` says the same and more: a combination sums up its branches, a value implies its type. */
function saysMore(other: ErrorObject, error: ErrorObject): boolean {
  if (isCombination(other) && error.schemaPath.startsWith(`${other.schemaPath}/`)) return true
  if (error.keyword !== 'type' || other.instancePath !== error.instancePath) return false
  return other.keyword === 'const' || other.keyword === 'enum' || isChoiceOfDefinitions(other)
}

/** Whether `other` names the very place inside a value that fits none of several definitions. */
function saysWhere(other: ErrorObject, error: ErrorObject): boolean {
  return isChoiceOfDefinitions(error) && violation(other).path.startsWith(`${error.instancePath}/`)
}

function isChoiceOfDefinitions(error: ErrorObject): boolean {
  const branches: unknown = isCombination(error) ? error.parentSchema?.[error.keyword] : []
  return Array.isArray(branches) && branches.some((branch: unknown) => Object.hasOwn(Object(branch), '$ref'))
}

function isCombination({ keyword }: ErrorObject): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf'
}

function violation(error: ErrorObject): Violation {
  const { instancePath, keyword, params } = error
  const within = (key: string) => `${instancePath}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (keyword === 'required') return { path: within(params['missingProperty']), expected: REQUIRED }
  if (keyword === 'additionalProperties') {
    return { path: within(params['additionalProperty']), expected: 'no such field' }
  }
  if (keyword === 'discriminator') return { path: within(params['tag']), expected: expectation(error) }
  return { path: instancePath, expected: expectation(error) }
}

function expectation({ keyword, message, params, parentSchema }: ErrorObject): string {
  if (keyword === 'type')
    return [params['type']]
      .flat()
      .map((type) => TYPES[type] ?? type)
      .join(' or ')
  if (keyword === 'const') return oneOf([params['allowedValue']])
  if (keyword === 'enum') return oneOf(params['allowedValues'])
  const own: unknown = parentSchema?.['x-expected']
  if (typeof own === 'string') return own
  if (keyword === 'minLength') return 'text that is not empty'
  // Ajv's own words: "must match format", "must be >= 0".
  return `a value that ${message ?? `passes ${keyword}`}`
}
