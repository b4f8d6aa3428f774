import { setTimeout as pause } from 'node:timers/promises'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { outputFailed, readerGone } from '../../shared/output.ts'
import {
  type ClientOptions,
  findSandbox,
  NoSandbox,
  type SandboxClient,
} from '../../shared/sandbox-client.ts'
import { eventName } from '../../shared/sandbox-events.ts'
import { lineOf, type Told } from './listen-output.ts'

/** The options of `hookproof listen`. */
export interface ListenCommandOptions extends ClientOptions {
  readonly forwardTo?: string
  readonly events?: readonly string[]
  readonly format: 'text' | 'json'
}

/** A sandbox that has been silent for so long is gone, in milliseconds: it says something every 5 s. */
const SILENT_MS = 20_000

/** Between attempts to reach it again. */
const AGAIN_AFTER_MS = 500

/**
 * `hookproof listen`: prints each attempt as it happens, and begins anew when the connection breaks or the endpoint is
 * deleted. What would leave it deaf it says.
 */
export async function listen({
  forwardTo,
  events,
  format,
  ...where
}: ListenCommandOptions): Promise<ExitCode> {
  const names = events?.flatMap((given) => given.split(',')).map((name) => eventName(name.trim()))
  const query = new URLSearchParams({
    ...(forwardTo !== undefined && { forward_to: forwardTo }),
    ...(names !== undefined && { events: names.join(',') }),
  })
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stopping.abort())
  }
  const ending = AbortSignal.any([stopping.signal, outputFailed, readerGone])
  const sandbox = await findSandbox(where)
  let secret: string | null | undefined
  const print = (told: Told): void => {
    const line =
      format === 'json' ? JSON.stringify(told) : lineOf(told, { url: sandbox.url, forwardTo, secret })
    process.stdout.write(`${line}\n`)
    if (told.type === 'ready') secret = told.secret
  }
  while (!ending.aborted) {
    let told: Told | undefined
    try {
      for await (told of attempts(sandbox, `/listen?${query.toString()}`, ending)) print(told)
    } catch (error) {
      // It was there at first, and may be stopped for a while.
      if (!(error instanceof NoSandbox)) throw error
    }
    if (ending.aborted) break
    // Said once; nothing at all was told when it is still away.
    if (told !== undefined && told.type !== 'gone') print({ type: 'lost' })
    await pause(AGAIN_AFTER_MS, undefined, { signal: ending }).catch(() => undefined)
  }
  return EXIT.ok
}

/** Ends when the connection does. */
async function* attempts(sandbox: SandboxClient, path: string, stopping: AbortSignal): AsyncGenerator<Told> {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(), SILENT_MS)
  const signal = AbortSignal.any([silent.signal, stopping])
  try {
    const { body } = await sandbox.open(path, signal)
    if (body === null) return
    for await (const line of linesOf(body)) {
      timer.refresh()
      if (line !== '') yield JSON.parse(line) as Told
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The lines until the connection breaks, in whatever way it does: a killed sandbox leaves half a chunk. */
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
