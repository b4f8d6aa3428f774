import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, stopRequest, usesColor } from '../../shared/io.ts'
import {
  type ClientOptions,
  findSandbox,
  NoSandbox,
  type SandboxClient,
} from '../../shared/sandbox-client.ts'
import { eventName } from '../../shared/sandbox-events.ts'
import { type ListenEvent, lineOf } from './listen-output.ts'

/** The options of `hookproof listen`. */
export interface ListenCommandOptions extends ClientOptions {
  readonly forwardTo?: string
  readonly events?: readonly string[]
  readonly skipVerify?: true
  readonly format: 'text' | 'json'
}

/** A sandbox that is silent for this long is gone, in milliseconds: it sends something every 5 s. */
const SILENT_MS = 20_000

/** The pause between attempts to reconnect. */
const RECONNECT_AFTER_MS = 500

/**
 * `hookproof listen`: prints each attempt as it happens. When the connection is lost or the endpoint is deleted, it
 * prints that and connects again.
 */
export async function listen(options: ListenCommandOptions, io: Io): Promise<ExitCode> {
  const { forwardTo, format, skipVerify = false } = options
  requireHttps(options)
  const names = options.events?.flatMap((list) => list.split(',')).map((name) => eventName(name.trim()))
  const query = new URLSearchParams({
    ...(forwardTo !== undefined && { forward_to: forwardTo }),
    ...(names !== undefined && { events: names.join(',') }),
    ...(options.skipVerify && { skip_verify: '1' }),
  })
  const quitting = new AbortController()
  const stopping = AbortSignal.any([stopRequest(io), io.outputFailed, io.readerGone, quitting.signal])
  const sandbox = await findSandbox(options, io)
  const color = usesColor(io)
  let secret: string | null | undefined
  let latest: { readonly delivery: string; readonly event_url: string } | undefined
  const print = (event: ListenEvent): void => {
    const line =
      format === 'json'
        ? JSON.stringify(event)
        : lineOf(event, { url: sandbox.url, forwardTo, skipVerify, secret, color, time: timeOfDay() })
    io.stdout.write(`${line}\n`)
    if (event.type === 'delivery') latest = event
    if (event.type !== 'ready') return
    if (secret === undefined && releaseKeys !== undefined) io.stdout.write(`${KEYS}\n`)
    secret = event.secret
  }
  const isTerminal = io.stdout.isTTY === true && format === 'text'
  const say = (text: string): void => void io.stdout.write(`${text}\n`)
  const releaseKeys = isTerminal
    ? readKeys(io.stdin, {
        q: () => quitting.abort(),
        o: () => openInBrowser(latest?.event_url ?? sandbox.url, () => say('No browser was found.')),
        r: () => {
          if (latest === undefined) return say('Nothing to resend yet.')
          sandbox.call('POST', `/events/${latest.delivery}/resend`).catch((error: unknown) => {
            say(`Not resent: ${error instanceof Error ? error.message : String(error)}`)
          })
        },
      })
    : undefined
  try {
    while (!stopping.aborted) {
      let last: ListenEvent | undefined
      try {
        for await (last of connect(sandbox, `/listen?${query.toString()}`, stopping)) print(last)
      } catch (error) {
        // The sandbox was there at the start, and may be back soon.
        if (!(error instanceof NoSandbox)) throw error
      }
      if (stopping.aborted) break
      // Printed once: while the sandbox is away, no connection has a last event.
      if (last !== undefined && last.type !== 'gone') print({ type: 'lost' })
      await pause(RECONNECT_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined)
    }
  } finally {
    // A terminal that is still read would keep the process running.
    releaseKeys?.()
  }
  return EXIT.ok
}

const KEYS = 'Keys: r resend the last delivery, o open it in a browser, q quit.'

const timeOfDay = (): string => new Date().toTimeString().slice(0, 8)

/** Only https has certificates that can be skipped: elsewhere the option would be a mistake. */
function requireHttps({ skipVerify, forwardTo }: ListenCommandOptions): void {
  if (!skipVerify || forwardTo?.toLowerCase().startsWith('https:') === true) return
  throw new UsageError('--skip-verify needs --forward-to with an https URL: leave it out, or use https')
}

/** The events of one connection, until it ends. */
async function* connect(
  sandbox: SandboxClient,
  path: string,
  stopping: AbortSignal,
): AsyncGenerator<ListenEvent> {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(), SILENT_MS)
  const signal = AbortSignal.any([silent.signal, stopping])
  try {
    const { body } = await sandbox.open(path, signal)
    if (body === null) return
    for await (const line of linesOf(body)) {
      timer.refresh()
      if (line !== '') yield JSON.parse(line) as ListenEvent
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The lines until the connection ends, for whatever reason: a killed sandbox leaves half a chunk. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    if (value === undefined) return
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** A terminal's input: `setRawMode` delivers each key at once. */
type Terminal = Readable & { readonly isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown }

/** What Ctrl-C and Ctrl-D send when the terminal passes on each key. */
const ENDING = ['\u0003', '\u0004']

/**
 * Reads single keys from a terminal.
 * @param actions what each key does; `q`, Ctrl-C and Ctrl-D do what `q` does
 * @returns a function that gives the terminal back; undefined if the input is not a terminal
 */
export function readKeys(
  input: Readable,
  actions: Readonly<Record<string, () => void>>,
): (() => void) | undefined {
  const terminal: Terminal = input
  if (terminal.isTTY !== true || terminal.setRawMode === undefined) return undefined
  const onData = (data: Buffer | string): void => {
    for (const key of String(data)) actions[ENDING.includes(key) ? 'q' : key.toLowerCase()]?.()
  }
  terminal.setRawMode(true)
  terminal.on('data', onData)
  terminal.resume()
  return () => {
    terminal.off('data', onData)
    terminal.setRawMode?.(false)
    terminal.pause()
  }
}

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' }

/** Opens a page in the user's browser. @param onFailure called if there is no program for it */
export function openInBrowser(url: string, onFailure: () => void): void {
  const child = spawn(PROGRAMS[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true })
  child.on('error', onFailure)
  child.unref()
}
