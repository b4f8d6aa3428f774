import { type Chaos, readChaos } from './deliveries/chaos.ts'
import { parseRoute } from './deliveries/routes.ts'
import { type Ack, SCHEDULES, type ScheduleName } from './deliveries/schedule.ts'
import { SandboxError } from './errors.ts'
import { HELPERS } from './pages/render.ts'

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

/** The settings that change deliveries or responses and differ from their defaults, in words. */
export function settingsOf({ schedule, ack, chaos, botProtection }: ResolvedOptions) {
  const isDefaultSchedule = schedule.join() === SCHEDULES.fast.join()
  const waits = schedule.map((wait) => HELPERS.duration(wait)).join(', ')
  const faults = Object.entries(chaos ?? {}).map(([name, value]) =>
    value === true ? name : `${name}=${value}`,
  )
  return [
    faults.length > 0 && { name: 'Chaos', text: `${faults.join(', ')} (every delivery)` },
    ack === 'strict' && { name: 'Acknowledgment', text: 'only status 200' },
    !isDefaultSchedule && { name: 'Retries', text: schedule.length === 0 ? 'none' : `after ${waits}` },
    botProtection && {
      name: 'Bot protection',
      text: 'on: a missing or automated-looking User-Agent gets 403 and error 1010',
    },
  ].filter((setting) => setting !== false)
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isFunction = (value: unknown): boolean => typeof value === 'function'
const isWait = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** What each option must be, and whether it is. `readChaos` validates the content of chaos. */
const RULES: Readonly<Record<keyof SandboxOptions, [mustBe: string, isValid: (value: unknown) => boolean]>> =
  {
    port: ['a whole number from 0 to 65535', (value) => isWait(value) && Number(value) <= 65_535],
    host: ['a host name or an IP address', isText],
    file: ['the path of a file', isText],
    seed: ['a non-empty string', isText],
    routes: [
      'a list of strings',
      (value) => Array.isArray(value) && value.every((route) => typeof route === 'string'),
    ],
    schedule: [
      '"fast", "realistic" or a list of waits in whole milliseconds',
      (value) =>
        value === 'fast' ||
        value === 'realistic' ||
        (Array.isArray(value) && value.every((wait) => isWait(wait))),
    ],
    ack: ['"2xx" or "strict"', (value) => value === '2xx' || value === 'strict'],
    botProtection: ['true or false', (value) => typeof value === 'boolean'],
    dashboardPassword: [
      'a text of at least 8 characters',
      (value) => typeof value === 'string' && Array.from(value).length >= 8,
    ],
    chaos: ['an object', isRecord],
    clock: ['a function', isFunction],
    onFailure: ['a function', isFunction],
    onNotice: ['a function', isFunction],
  }

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Validates options that may come from plain JavaScript; an undefined value counts as absent.
 * @throws SandboxError `bad_option` that names the first unknown or invalid option
 */
function validateOptions(options: unknown): void {
  if (!isRecord(options)) throw bad('the options must be an object.')
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(RULES, name))
  if (unknown !== undefined) {
    throw bad(`"${unknown}" is not an option. The options are ${Object.keys(RULES).join(', ')}.`, unknown)
  }
  for (const [name, [mustBe, isValid]] of Object.entries(RULES)) {
    const value = options[name]
    if (value === undefined || isValid(value)) continue
    const actual = name === 'dashboardPassword' ? '' : `, not ${shown(value)}`
    throw bad(`"${name}" must be ${mustBe}${actual}.`, name)
  }
}

/** Shows a value briefly; a string is cut after 40 characters. */
function shown(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  return Array.isArray(value) ? 'this list' : `this ${typeof value}`
}

const bad = (message: string, ...names: string[]) => new SandboxError('bad_option', message, { names })
