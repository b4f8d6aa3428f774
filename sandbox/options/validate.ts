import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { SandboxError } from '../errors.ts'
import type { SandboxOptions } from './options.ts'

/**
 * The schema of each option. `mustBe` completes the message `"port" must be …`. Some options are functions, which JSON
 * cannot represent, so this schema is not among those in schemas/.
 */
const PROPERTIES: Readonly<Record<keyof SandboxOptions, object>> = {
  port: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    mustBe: 'a whole number from 0 to 65535',
  },
  host: { type: 'string', minLength: 1, mustBe: 'a host name or an IP address' },
  file: { type: 'string', minLength: 1, mustBe: 'the path of a file' },
  seed: { type: 'string', minLength: 1, mustBe: 'a non-empty string' },
  routes: { type: 'array', items: { type: 'string' }, mustBe: 'a list of strings' },
  schedule: {
    anyOf: [
      { enum: ['fast', 'realistic'] },
      { type: 'array', items: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } },
    ],
    mustBe: '"fast", "realistic" or a list of waits in whole milliseconds',
  },
  ack: { enum: ['2xx', 'strict'], mustBe: '"2xx" or "strict"' },
  botProtection: { type: 'boolean', mustBe: 'true or false' },
  dashboardPassword: {
    type: 'string',
    minLength: 8,
    mustBe: 'a text of at least 8 characters',
    isSecret: true,
  },
  // readChaos validates its content.
  chaos: { type: 'object', mustBe: 'an object' },
  clock: { isFunction: true, mustBe: 'a function' },
  onFailure: { isFunction: true, mustBe: 'a function' },
  onNotice: { isFunction: true, mustBe: 'a function' },
}

let check: ValidateFunction | undefined

/**
 * Validates options that may come from plain JavaScript; an undefined value counts as absent.
 * @throws SandboxError `bad_option` that names the first unknown or invalid option
 */
export function validateOptions(options: unknown): void {
  check ??= compile()
  if (check(options)) return
  const [error] = check.errors ?? []
  if (error !== undefined) throw explained(error, options)
}

function compile(): ValidateFunction {
  const ajv = new Ajv2020({ allowUnionTypes: true, meta: false, validateSchema: false })
  ajv.addVocabulary(['mustBe', 'isSecret'])
  ajv.addKeyword({
    keyword: 'isFunction',
    validate: (_: unknown, value: unknown) => typeof value === 'function',
  })
  return ajv.compile({ type: 'object', additionalProperties: false, properties: PROPERTIES })
}

function explained({ instancePath, keyword, params }: ErrorObject, options: unknown): SandboxError {
  const [, name = ''] = instancePath.split('/')
  if (name !== '') return invalid(name, (options as Record<string, unknown>)[name])
  if (keyword !== 'additionalProperties') return bad('the options must be an object.')
  const unknown = String(params['additionalProperty'])
  return bad(`"${unknown}" is not an option. The options are ${Object.keys(PROPERTIES).join(', ')}.`, unknown)
}

function invalid(name: string, value: unknown): SandboxError {
  const { mustBe, isSecret } = PROPERTIES[name as keyof SandboxOptions] as { mustBe: string; isSecret?: true }
  return bad(`"${name}" must be ${mustBe}${isSecret ? '' : `, not ${shown(value)}`}.`, name)
}

/** Shows a value briefly; a string is cut after 40 characters. */
function shown(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  return Array.isArray(value) ? 'this list' : `this ${typeof value}`
}

const bad = (message: string, ...names: string[]) => new SandboxError('bad_option', message, { names })
