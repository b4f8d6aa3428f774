import type { ErrorObject } from 'ajv/dist/2020.js'

/** One place where a value violates its schema. */
export interface Violation {
  /** JSON pointer to the place; empty for the entire value. */
  path: string
  /** What is expected there, as words to follow "expected": `one of "live", "test", "both"`. */
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

/** The expectation of a missing required field. */
export const REQUIRED = 'a value: this field is required'

/** Turns the errors of Ajv into violations, one for each thing to fix. */
export function violations(errors: readonly ErrorObject[]): Violation[] {
  const needed = errors.filter((error) => !errors.some((other) => isMoreSpecific(other, error)))
  const specific = needed.filter((error) => !needed.some((other) => isNestedIn(other, error)))
  // For a value of the wrong type, no other violation matters.
  const wrong = specific.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === '')
  const found = (wrong === undefined ? specific : [wrong]).map(violation)
  const texts = found.map(({ path, expected }) => `${path} ${expected}`)
  return found.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}

/** `one of "a", "b"` with the values as JSON; a single value is not preceded by "one of". */
export function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => JSON.stringify(value))
  return texts.length === 1 ? String(texts[0]) : `one of ${texts.join(', ')}`
}

/** Whether `other` implies `error`: a combination summarizes its branches, and a value implies its type. */
function isMoreSpecific(other: ErrorObject, error: ErrorObject): boolean {
  if (isCombination(other) && error.schemaPath.startsWith(`${other.schemaPath}/`)) return true
  if (error.keyword !== 'type' || other.instancePath !== error.instancePath) return false
  return other.keyword === 'const' || other.keyword === 'enum' || isChoiceOfDefinitions(other)
}

/** Whether `other` names the exact place inside a value that matches none of several definitions. */
function isNestedIn(other: ErrorObject, error: ErrorObject): boolean {
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
  // The message of Ajv: "must match format", "must be >= 0".
  return `a value that ${message ?? `passes ${keyword}`}`
}
