import { SandboxError } from './errors.ts'
import type { SandboxOptions } from './options.ts'

/** What kind of value an option takes: in words, and whether a value is of it. */
type Kind = readonly [expected: string, fits: (value: unknown) => boolean]

const TEXT: Kind = ['some text', (value) => typeof value === 'string' && value !== '']
const FUNCTION: Kind = ['a function', (value) => typeof value === 'function']

const KINDS: Readonly<Record<keyof SandboxOptions, Kind>> = {
  port: ['a whole number from 0 to 65535', (value) => isWhole(value) && value <= 65_535],
  host: TEXT,
  file: TEXT,
  // options.ts says more about an empty one.
  seed: ['some text', (value) => typeof value === 'string'],
  routes: [
    'a list of texts',
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  ],
  schedule: [
    'fast, realistic or a list of waits in whole milliseconds',
    (value) => value === 'fast' || value === 'realistic' || (Array.isArray(value) && value.every(isWhole)),
  ],
  ack: ['2xx or strict', (value) => value === '2xx' || value === 'strict'],
  botProtection: ['true or false', (value) => typeof value === 'boolean'],
  // readChaos says more about it.
  chaos: ['an object of options', (value) => typeof value === 'object'],
  clock: FUNCTION,
  onFailure: FUNCTION,
}

/**
 * Looks at options that may come from plain JavaScript; those that are undefined count as left out.
 * @throws SandboxError for one that is not there, or whose value is of another kind
 */
export function validateOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) throw bad('the options are no object: give { … }.')
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(KINDS, name)) {
      throw bad(`there is no option ${name}. There are ${Object.keys(KINDS).join(', ')}.`)
    }
    const [expected, fits] = KINDS[name as keyof SandboxOptions]
    if (value !== undefined && !fits(value))
      throw bad(`the option ${name} takes ${expected}, not ${shown(value)}.`)
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Short, and of a text enough to know it by. */
function shown(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : `this ${typeof value}`
}

const bad = (message: string) => new SandboxError('bad_option', message)
