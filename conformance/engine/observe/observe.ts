import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EngineError, type ObservationFailure, type Unreadable } from '../errors.ts'
import { afterAwake } from '../time/awake.ts'
import type { Patience } from '../wire/patience.ts'

/** How receivers of a service show what they did for a key. */
export interface ObservationReader<Effect = unknown> {
  /** The name of the key in the query of an observe URL. */
  readonly key: string
  /** The effects in what a receiver shows, parsed from JSON, oldest first; or why they cannot be read. */
  readonly read: (shown: unknown) => Promise<readonly Effect[] | Unreadable>
}

/** Reads what the receiver did for a key. */
export interface Observer<Effect = unknown> {
  /** @throws EngineError `observation_failed` when there is no response or it is not an observation. */
  readonly effects: (key: string) => Promise<readonly Effect[]>
  /** The shortest pause between two observations of one key, in milliseconds. */
  readonly intervalMs: number
  /** How many observations may take place at the same time. */
  readonly parallel: number
  /** How many keys are observed at once when only a sample is needed. */
  readonly sample: number
  /** Closes the connections that it keeps open, if it does. */
  readonly close?: () => void
}

/** How an observation that takes no process is paced. */
export const CHEAP = { intervalMs: 20, parallel: 8, sample: 200 }
/** Each observation is a process. */
const COSTLY = { intervalMs: 200, parallel: 4, sample: 20 }

/** The longest output that is read, in bytes, and the deepest. */
export const MOST_BYTES = 1024 * 1024
export const TOO_LONG: ObservationFailure = { code: 'too_long', bytes: MOST_BYTES }
const MOST_LEVELS = 32

/**
 * Observes by running a shell command with the key as its last argument.
 *
 * @param patience shared with the deliveries: the command may ask the receiver
 */
export function observeCommand<Effect>(
  command: string,
  observation: ObservationReader<Effect>,
  patience: Patience,
  { cwd, hide = (text) => text }: { cwd?: string | undefined; hide?: (text: string) => string } = {},
): Observer<Effect> {
  const run = promisify(execFile)
  return {
    ...COSTLY,
    async effects(key) {
      const late = new AbortController()
      let afterMs: number | undefined
      const stopWaiting = patience.wait((error) => {
        afterMs = error.afterMs
        late.abort()
      })
      const [shell, ...args] = inShell(command, key)
      const { stdout } = await run(shell, args, {
        signal: late.signal,
        maxBuffer: MOST_BYTES,
        cwd,
        windowsHide: true,
        windowsVerbatimArguments: true,
      })
        .catch((error: unknown) => {
          const { code: status, stderr = '' } = error as ExecFailure
          if (status === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw failed(command, TOO_LONG)
          const last = hide(stderr.trim().split('\n').at(-1) ?? '').slice(0, 200)
          throw failed(
            command,
            afterMs !== undefined
              ? { code: 'too_late', ms: afterMs, last }
              : { code: 'exited', status, last },
          )
        })
        .finally(stopWaiting)
      return parse(stdout, observation, command)
    },
  }
}

interface ExecFailure {
  readonly code?: number | string
  readonly stderr?: string
}

/**
 * Observes by calling a function.
 *
 * @param show what a receiver would show, as if parsed from JSON
 */
export function observeWith<Effect>(
  show: (key: string) => unknown,
  observation: ObservationReader<Effect>,
  timeoutMs: number,
): Observer<Effect> {
  return {
    ...CHEAP,
    async effects(key) {
      let cancel = (): void => undefined
      const late = new Promise<never>((_, reject) => {
        cancel = afterAwake(timeoutMs, () => reject(failed(undefined, { code: 'too_late', ms: timeoutMs })))
      })
      const shown = await Promise.race([callOf(show, key), late]).finally(() => cancel())
      // A copy, because the function's owner may keep adding to the original.
      return [...(await readBy(observation, shown, undefined))]
    },
  }
}

async function callOf(show: (key: string) => unknown, key: string): Promise<unknown> {
  try {
    return await show(key)
  } catch (error) {
    throw failed(undefined, { code: 'threw', thrown: String(error).split('\n', 1)[0] ?? '' })
  }
}

/**
 * Reads an observation.
 *
 * @param source where it comes from, for the error
 * @throws EngineError `observation_failed`
 */
export async function parse<Effect>(
  text: string,
  observation: ObservationReader<Effect>,
  source: string,
): Promise<readonly Effect[]> {
  let shown: unknown
  try {
    shown = JSON.parse(text)
  } catch {
    throw failed(source, { code: 'not_json', looks: looksLike(text.trim()) })
  }
  if (isDeep(shown)) throw failed(source, { code: 'too_deep', levels: MOST_LEVELS })
  return readBy(observation, shown, source)
}

async function readBy<Effect>(
  { read }: ObservationReader<Effect>,
  shown: unknown,
  source: string | undefined,
): Promise<readonly Effect[]> {
  const found = await read(shown)
  if ('code' in found) throw failed(source, found)
  return found
}

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
    if (level.length === 0) return false
  }
  return true
}

/**
 * The error of an observation that says nothing about the receiver.
 *
 * @param source a URL or a command; undefined for a function
 */
export function failed(source: string | undefined, why: ObservationFailure): EngineError {
  return new EngineError({ code: 'observation_failed', source, why })
}

/** What an output is that is not JSON, as far as its beginning shows it. */
function looksLike(text: string): 'empty' | 'html' | 'single_quotes' | undefined {
  if (text === '') return 'empty'
  if (text.startsWith('<')) return 'html'
  return /^[[{]+'/.test(text) ? 'single_quotes' : undefined
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
