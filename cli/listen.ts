import { setTimeout as pause } from 'node:timers/promises'
import colors from 'picocolors'
import { EXIT, type ExitCode } from './exit.ts'
import { type ClientOptions, findSandbox, NoSandbox, type SandboxClient } from './sandbox-client.ts'
import { eventName } from './sandbox-events.ts'

/** The options of `hookproof listen`. */
export interface ListenCommandOptions extends ClientOptions {
  readonly forwardTo?: string
  readonly events?: readonly string[]
  readonly format: 'text' | 'json'
}

/** What the sandbox tells, a line each. */
interface Told {
  readonly type: 'ready' | 'delivery' | 'answer'
  readonly event?: string
  readonly payment_id?: string
  readonly attempt?: number
  readonly status?: number | null
  readonly error?: string | null
  readonly detail?: string | null
  readonly ms?: number
  readonly secret?: string | null
}

/** A sandbox that has been silent for so long is gone, in milliseconds: it says something every 5 s. */
const SILENT_MS = 20_000

/** Between attempts to reach it again. */
const AGAIN_AFTER_MS = 500

/** `hookproof listen`: prints each attempt as it happens, and begins anew when the connection breaks. */
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
  const sandbox = await findSandbox(where)
  let times = 0
  while (!stopping.signal.aborted) {
    try {
      for await (const told of attempts(sandbox, `/listen?${query.toString()}`, stopping.signal)) {
        if (told.type === 'ready') times += 1
        print(format === 'json' ? JSON.stringify(told) : lineOf(told, { url: sandbox.url, forwardTo, times }))
      }
    } catch (error) {
      // It was there at first, and may be stopped for a while.
      if (!(error instanceof NoSandbox)) throw error
    }
    if (stopping.signal.aborted) break
    await pause(AGAIN_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
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

function lineOf(
  told: Told,
  { url, forwardTo, times }: { url: string; forwardTo: string | undefined; times: number },
): string {
  const { type, event = '', payment_id: payment = '', attempt = 1, status, error, detail, ms, secret } = told
  if (type === 'ready') {
    if (times > 1) return `Connected to ${url} again.`
    if (forwardTo === undefined) return `Listening to ${url}. Ctrl-C stops.`
    return `Events of ${url} go to ${forwardTo}, signed with ${secret}. Ctrl-C stops.`
  }
  const name = `${event.padEnd(17)} ${payment}`
  const again = attempt > 1 ? `  attempt ${attempt}` : ''
  if (type === 'delivery') return `--> ${name}${again}`
  const paint = status === 200 ? colors.green : colors.red
  return `<-- ${name}${again}  ${paint(String(status ?? error ?? ''))} in ${ms} ms${detail ? `: ${detail}` : ''}`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
