import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Chaos, readChaos } from './deliveries/chaos.ts'
import { parseRoute } from './deliveries/routes.ts'
import { type Ack, SCHEDULES, type ScheduleName } from './deliveries/schedule.ts'
import { SandboxError } from './errors.ts'

/** The options of a sandbox; all of them can be left out. */
export interface SandboxOptions {
  /** TCP port; 0, the default, picks a free one. */
  port?: number
  /** The address to listen on; 127.0.0.1 by default, which other machines cannot reach. */
  host?: string
  /** The SQLite file that stores everything, in an existing folder. Without it nothing is kept. */
  file?: string
  /** The default keys and secrets are derived from it; by default a random one, stored in the file. */
  seed?: string
  /** Where public URLs are really sent, such as `https://shop.example/=http://localhost:3000/`. Interface 8. */
  routes?: readonly string[]
  /** When failed deliveries are retried: a name, or the waits in milliseconds. */
  schedule?: ScheduleName | readonly number[]
  /** `2xx`, the default, accepts any success and flags those that are not 200; `strict` accepts 200 only. */
  ack?: Ack
  /** Blocks API requests whose User-Agent is missing or looks automated. Interface 5.2. */
  botProtection?: boolean
  /**
   * Admits clients on other machines to the dashboard and the control API, by HTTP Basic authentication with any user name:
   * at least 8 characters. Without it, both are for programs and browsers on this machine only.
   */
  dashboardPassword?: string
  /** Faults to inject into every delivery. */
  chaos?: Chaos
  /** Returns real time, in milliseconds since 1970. */
  clock?: () => number
  /** Receives internal errors, which no request should be able to cause. */
  onFailure?: (error: unknown) => void
  /** Receives hints for the person who runs the sandbox, one line each. */
  onNotice?: (text: string) => void
}

/** The options after validation, with defaults filled in. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>

/**
 * Validates the options once and fills in the defaults.
 * @throws SandboxError `bad_option`, RouteError or ChaosError for an invalid option
 */
export function resolveOptions(options: SandboxOptions) {
  validateOptions(options)
  const { routes = [], schedule = 'fast', chaos } = options
  return {
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    file: options.file ?? ':memory:',
    seed: options.seed,
    routes: routes.map(parseRoute),
    schedule: typeof schedule === 'string' ? SCHEDULES[schedule] : schedule,
    ack: options.ack ?? '2xx',
    botProtection: options.botProtection ?? false,
    dashboardPassword: options.dashboardPassword,
    chaos: chaos === undefined ? undefined : readChaos(chaos),
    clock: options.clock ?? Date.now,
    onFailure: options.onFailure ?? (() => {}),
    onNotice: options.onNotice ?? (() => {}),
  }
}

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
function validateOptions(options: unknown): void {
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
