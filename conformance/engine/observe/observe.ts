import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Effect, Observation } from '../../../schemas/types.ts'
import type { Violation } from '../../../schemas/validate.ts'
import { HarnessError } from '../errors.ts'
import { afterAwake } from '../time/awake.ts'

/** Reads what the receiver did for a payment (SPEC.md 9). */
export interface Observer {
  /** @throws HarnessError `observation_failed` when there is no response or it is not an observation. */
  readonly effects: (paymentId: string) => Promise<readonly Effect[]>
  /** The shortest pause between two observations of one payment, in milliseconds. */
  readonly intervalMs: number
  /** How many observations may take place at the same time. */
  readonly parallel: number
  /** How many payments are observed at once when only a sample is needed. */
  readonly sample: number
}

/** How an observation that takes no process is paced. */
export const CHEAP = { intervalMs: 20, parallel: 8, sample: 200 }
/** Each observation is a process. */
const COSTLY = { intervalMs: 200, parallel: 4, sample: 20 }

/** The longest output that is read, in bytes, and the deepest. */
export const MOST_BYTES = 1024 * 1024
const MOST_LEVELS = 32

/** Observes by running a shell command with the payment id as its last argument. */
export function observeCommand(
  command: string,
  timeoutMs: number,
  { cwd, hide = (text) => text }: { cwd?: string | undefined; hide?: (text: string) => string } = {},
): Observer {
  const run = promisify(execFile)
  return {
    ...COSTLY,
    async effects(paymentId) {
      const late = new AbortController()
      const cancel = afterAwake(timeoutMs, () => late.abort())
      const [shell, ...args] = inShell(command, paymentId)
      const { stdout } = await run(shell, args, {
        signal: late.signal,
        maxBuffer: MOST_BYTES,
        cwd,
        windowsHide: true,
        windowsVerbatimArguments: true,
      })
        .catch((error: unknown) => {
          const { code, stderr = '' } = error as ExecFailure
          if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
            throw failed(command, `the output is longer than ${MOST_BYTES} bytes`)
          }
          const failure = late.signal.aborted
            ? `it took more than ${timeoutMs} ms`
            : `it exited with status ${code}`
          const last = stderr.trim().split('\n').at(-1) ?? ''
          throw failed(
            command,
            `${failure}${last === '' ? '' : `; last output: ${hide(last).slice(0, 200)}`}`,
          )
        })
        .finally(cancel)
      return parse(stdout, command)
    },
  }
}

/** Reads a payment's effects within this process, oldest first. */
export type ReadEffects = (paymentId: string) => readonly Effect[] | Promise<readonly Effect[]>

/** Observes by calling a function. */
export function observeWith(read: ReadEffects, timeoutMs: number): Observer {
  const source = 'the function in "observe"'
  return {
    ...CHEAP,
    async effects(paymentId) {
      let cancel = (): void => undefined
      const late = new Promise<never>((_, reject) => {
        cancel = afterAwake(timeoutMs, () => reject(failed(source, `it took more than ${timeoutMs} ms`)))
      })
      const effects = await Promise.race([callOf(read, paymentId, source), late]).finally(() => cancel())
      // A copy, because the function's owner may keep adding to the original.
      return [...(await valid({ effects }, source))]
    },
  }
}

async function callOf(read: ReadEffects, paymentId: string, source: string): Promise<readonly Effect[]> {
  try {
    return await read(paymentId)
  } catch (error) {
    throw failed(source, `it threw: ${String(error).split('\n', 1)[0]}`)
  }
}

interface ExecFailure {
  readonly code?: number | string
  readonly stderr?: string
}

/**
 * Reads an observation.
 *
 * @param source where it comes from, for the error
 * @throws HarnessError `observation_failed`
 */
export async function parse(text: string, source: string): Promise<readonly Effect[]> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw failed(source, `the output is not JSON${describeNoJson(text)}`)
  }
  if (isDeep(value)) throw failed(source, `the output is nested more than ${MOST_LEVELS} levels deep`)
  return valid(value, source)
}

const loadValidator = () => import('../../../schemas/validate.ts')
let validator: ReturnType<typeof loadValidator> | undefined

async function valid(value: unknown, source: string): Promise<readonly Effect[]> {
  // Loaded once, and only by a run that observes effects.
  validator ??= loadValidator()
  const { validate } = await validator
  const violations = validate('observation', value)
  if (violations.length > 0) {
    const unreadable = describeViolations(value, violations)
    throw failed(source, `the output is not an observation: ${unreadable}`, unreadable)
  }
  return (value as Observation).effects
}

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return false
  }
  return true
}

/** The error of an observation that says nothing about the receiver. */
export function failed(source: string, why: string, unreadable?: string): HarnessError {
  const message = `could not observe effects with ${source}: ${why}`
  return new HarnessError('observation_failed', message, { unreadable })
}

/** Only the first violations are named: one mistake usually shows in every effect. */
const MOST_NAMED = 3

/**
 * What an observation should contain and contains instead: `/effects/0/amount: expected decimal text such as "25.00", got
 * the number 25`.
 *
 * @param value the output, parsed
 * @param found its violations of schemas/observation.json
 */
function describeViolations(value: unknown, found: readonly Violation[]): string {
  const named = found
    .slice(0, MOST_NAMED)
    .map(({ path, expected }) => `${path || '(root)'}: expected ${expected}, got ${gotAt(value, path)}`)
  const more = found.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Why an output is not JSON, as words to follow "not JSON"; empty when nothing is known. */
function describeNoJson(output: string): string {
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

/** How to run a shell command with one more argument: the shell, and its arguments as `execFile` takes them. */
export function inShell(
  command: string,
  argument: string,
  platform: NodeJS.Platform = process.platform,
  { ComSpec: windows = 'cmd.exe' }: NodeJS.ProcessEnv = process.env,
): readonly [shell: string, ...args: string[]] {
  if (platform !== 'win32') return ['/bin/sh', '-c', `${command} "$@"`, 'sh', argument]
  // With /s, cmd removes the outer quotation marks and reads the rest as it stands.
  return [windows, '/d', '/s', '/c', `"${command} "${argument.replaceAll('"', '""')}""`]
}
