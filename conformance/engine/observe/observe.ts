import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Effect, Observation } from '../../../schemas/types.ts'
import { HarnessError } from '../errors.ts'
import { afterAwake } from '../time/awake.ts'
import { describeNoJson, describeViolations } from './describe-output.ts'
import { inShell } from './shell.ts'

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
