import { setTimeout as pause } from 'node:timers/promises'
import { httpUrl, withScheme } from '../../../conformance/http-url.ts'
import { printableJson } from '../../../conformance/report/text.ts'
import { shellQuoted } from '../../../fixtures/shell.ts'
import type { Capture, Listen } from '../../../schemas/types.ts'
import { openCaptures } from '../../shared/capture.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { printNotice } from '../../shared/find.ts'
import { type Io, stopRequest, usesColor } from '../../shared/io.ts'
import { inProject } from '../../shared/runner.ts'
import {
  type ClientOptions,
  findSandbox,
  NoSandbox,
  type SandboxClient,
} from '../../shared/sandbox-client.ts'
import { eventName } from '../../shared/sandbox-events.ts'
import { readSecret, type SecretOptions } from '../../shared/secret.ts'
import type { ServiceOptions } from '../../shared/service.ts'
import { readTrust, type TrustOptions } from '../../shared/trust.ts'
import { openInBrowser, readKeys } from './keys.ts'
import { hintAt, type ListenEvent, lineOf } from './listen-output.ts'

/** The options of `hookproof listen`. */
export interface ListenCommandOptions extends ClientOptions, SecretOptions, ServiceOptions, TrustOptions {
  readonly forwardTo?: readonly string[]
  readonly header?: readonly (readonly [string, string])[]
  readonly events?: readonly string[]
  /** How far back missed events are sent, in milliseconds. */
  readonly backfill?: number
  /** The folder in which deliveries are saved. */
  readonly capture?: string
  /** Receive deliveries of any service at this port, instead of those of a sandbox. */
  readonly port?: number
  /** The name of the signature header, where it is not that of the service. */
  readonly signatureHeader?: string
  readonly format: 'text' | 'json'
}

/** With what was sent, at the end of an attempt. */
type Reported = ListenEvent & { readonly request?: Pick<Capture, 'method' | 'path' | 'headers' | 'body'> }

/** The longest line that a sandbox sends has an edited event of at most 1 MiB. */
const LONGEST_LINE = 4 * 1024 * 1024

/** A sandbox that is silent for this long is gone, in milliseconds: it sends something every 5 s. */
const SILENT_MS = 20_000

/** The pause between attempts to reconnect. */
const RECONNECT_AFTER_MS = 500

/**
 * `hookproof listen`: prints each attempt as it happens. When the connection is lost or the endpoint is deleted, it
 * prints that and connects again. Each URL to forward to is an endpoint of its own, with its own retries.
 */
export async function listen(options: ListenCommandOptions, io: Io): Promise<ExitCode> {
  const { format } = options
  const targets = targetsOf(options)
  const request = await requestOf(options, io)
  const expected = await expectedSecret(options, io)
  const save = options.capture === undefined ? undefined : await openCaptures(options.capture, io)
  const quitting = new AbortController()
  const stopping = AbortSignal.any([stopRequest(io), io.outputFailed, io.readerGone, quitting.signal])
  const sandbox = await findSandbox(options, io)
  const color = usesColor(io)
  const isTerminal = io.stdout.isTTY === true && format === 'text'
  const isOneOfSeveral = targets.length > 1
  let latest: { readonly delivery: string; readonly event_url: string } | undefined
  let showsKeys = isTerminal
  const say = (text: string): void => void io.stdout.write(`${text}\n`)

  /** Follows the deliveries to one receiver, or all of them, until the command is stopped. */
  async function follow(forwardTo: string | undefined, index: number): Promise<void> {
    let secret: string | null | undefined
    let hinted: number | null = null
    /** Explains a refusal, once until another status follows it. */
    const hint = ({ status }: { readonly status: number | null }): void => {
      const text =
        status === hinted || format === 'json' ? undefined : hintAt(status, inProject(checkOf(forwardTo), io))
      hinted = status
      if (text !== undefined) say(text)
    }
    const print = async ({ request: sent, ...event }: Reported): Promise<void> => {
      const at = new Date().toISOString()
      const capture = sent && (await save?.({ at, service: 'payment-service', ...sent }))
      const shown = {
        ...(isOneOfSeveral && { forward_to: forwardTo }),
        ...(capture !== undefined && { capture }),
      }
      const listener = { url: sandbox.url, forwardTo, isOneOfSeveral, secret, color, time: timeOfDay() }
      const isRepeated = event.type === 'lost' || (event.type === 'ready' && event.secret === secret)
      if (format === 'json') say(printableJson(JSON.stringify({ ...event, ...shown })))
      // The connections to the sandbox end together.
      else if (index === 0 || !isRepeated)
        say(lineOf(event, listener) + (capture === undefined ? '' : `  ${capture}`))
      if (event.type === 'answer' && event.faulty !== true) hint(event)
      if (event.type === 'delivery') latest = event
      if (event.type !== 'ready') return
      if (index === 0 && expected !== undefined && event.secret !== expected)
        printNotice(
          io,
          'the given signing secret is not that of the sandbox: set that of the receiver to the one above',
        )
      if (showsKeys && releaseKeys !== undefined) say(KEYS)
      showsKeys = false
      secret = event.secret
    }
    const body = { ...request, ...(forwardTo !== undefined && { forward_to: forwardTo }) }
    while (!stopping.aborted) {
      let last: ListenEvent | undefined
      try {
        for await (last of connect(sandbox, body, stopping)) await print(last)
      } catch (error) {
        // The sandbox was there at the start, and may be back soon.
        if (!(error instanceof NoSandbox)) throw error
      }
      if (stopping.aborted) break
      // Printed once: while the sandbox is away, no connection has a last event.
      if (last !== undefined && last.type !== 'gone') await print({ type: 'lost' })
      await pause(RECONNECT_AFTER_MS, undefined, { signal: stopping }).catch(() => undefined)
    }
  }

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
    await Promise.all((targets.length > 0 ? targets : [undefined]).map(follow))
  } finally {
    quitting.abort()
    // A terminal that is still read would keep the process running.
    releaseKeys?.()
  }
  return EXIT.ok
}

/** The command that grades the receiver of a listener; its secret was printed at the start. */
const checkOf = (forwardTo: string | undefined): string =>
  forwardTo === undefined
    ? 'npx hookproof check <url>'
    : `HOOKPROOF_SECRET=whsec_... npx hookproof check ${shellQuoted([forwardTo])}`

const KEYS = 'Keys: r resend the last delivery, o open it in a browser, q quit.'

const timeOfDay = (): string => new Date().toTimeString().slice(0, 8)

/** How many receivers events may be forwarded to. */
const MOST_TARGETS = 10

/** The URLs to forward to, with their schemes. @throws UsageError, HarnessError `bad_option` */
export function targetsOf({ forwardTo = [], ...options }: ListenCommandOptions): string[] {
  const targets = [...new Set(forwardTo.map(withScheme))]
  for (const target of targets) httpUrl(target, 'forwardTo')
  if (targets.length > MOST_TARGETS)
    throw new UsageError(`--forward-to can be given ${MOST_TARGETS} times: leave some out`)
  const unused = (['header', 'ca', 'insecure', 'backfill'] as const).find(
    (name) => options[name] !== undefined,
  )
  if (targets.length === 0 && unused !== undefined)
    throw new UsageError(`--${unused} needs --forward-to: add it, or leave --${unused} out`)
  requireFitting(options)
  return targets
}

/** The flags of options that only one of the two sources of deliveries has. */
const OF_PORT = { service: '--service', signatureHeader: '--signature-header' } as const
const OF_SANDBOX = { sandbox: '--sandbox', events: '--events', backfill: '--backfill' } as const

/** @throws UsageError for an option that has no use */
function requireFitting({ port, ...options }: Omit<ListenCommandOptions, 'forwardTo'>): void {
  const flags = Object.entries(port === undefined ? OF_PORT : OF_SANDBOX)
  const [, flag] = flags.find(([name]) => Object.hasOwn(options, name)) ?? []
  if (flag === undefined) return
  throw new UsageError(
    port === undefined
      ? `${flag} needs --port: add it, or leave ${flag} out`
      : `${flag} is of the sandbox, and cannot be combined with --port: leave one out`,
  )
}

/** What the sandbox is asked for, without the receiver. @throws UsageError */
async function requestOf(
  { events, header, backfill, capture, ...options }: ListenCommandOptions,
  io: Io,
): Promise<Listen> {
  const names = events?.flatMap((list) => list.split(',')).map((name) => eventName(name.trim()))
  const { ca, insecure } = await readTrust(options, io)
  return {
    ...(names !== undefined && { events: names }),
    ...(header !== undefined && { headers: header.map(([name, value]): [string, string] => [name, value]) }),
    ...(ca !== undefined && { ca }),
    ...(insecure === true && { insecure }),
    ...(backfill !== undefined && { backfill_ms: backfill }),
    ...(capture !== undefined && { capture: true }),
  }
}

/** The secret of the receiver, where an option names it: that of the environment may be of another receiver. */
async function expectedSecret(options: ListenCommandOptions, io: Io): Promise<string | undefined> {
  const { secret, secretFile, envFile } = options
  const isGiven = [secret, secretFile, envFile].some((source) => source !== undefined)
  return isGiven ? readSecret(options, io) : undefined
}

/** The events of one connection, until it ends. */
async function* connect(
  sandbox: SandboxClient,
  request: Listen,
  stopping: AbortSignal,
): AsyncGenerator<Reported> {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(), SILENT_MS)
  const signal = AbortSignal.any([silent.signal, stopping])
  try {
    const { body } = await sandbox.open('/listen', request, signal)
    if (body === null) return
    for await (const line of linesOf(body)) {
      timer.refresh()
      if (line !== '') yield JSON.parse(line) as Reported
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
    if (rest.length > LONGEST_LINE) return reader.cancel()
    yield* lines
  }
}
