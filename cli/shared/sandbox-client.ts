import { UsageError } from './exit.ts'
import { oneLine } from './options.ts'

/** A sandbox that runs, as the commands beside it reach it: by its own API under /sandbox. */
export interface SandboxClient {
  /** Such as `http://127.0.0.1:4100`. */
  readonly url: string
  /**
   * Calls it.
   * @throws UsageError when it refuses, with what it said, or is not there
   */
  call: (method: 'GET' | 'POST', path: string, body?: object) => Promise<Record<string, unknown>>
  /** The same, for an answer that is read as it comes. */
  open: (path: string, signal: AbortSignal) => Promise<Response>
}

/** Where a sandbox may be named. */
export interface ClientOptions {
  readonly sandbox?: string
}

const DEFAULT = 'http://127.0.0.1:4100'
const TIMEOUT_MS = 10_000

/** Nobody answers there, or not in time: for `listen` a reason to try again. */
export class NoSandbox extends UsageError {}

/** Finds the sandbox. @throws UsageError when there is none at the address */
export async function findSandbox({ sandbox }: ClientOptions): Promise<SandboxClient> {
  const given = sandbox ?? (process.env['HOOKPROOF_SANDBOX'] || DEFAULT)
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new UsageError(`${oneLine(given)} is not an http address: give --sandbox one such as ${DEFAULT}`)
  }
  const url = new URL(given).origin

  async function request(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${url}/sandbox${path}`, { redirect: 'manual', ...init })
    } catch (error) {
      throw new NoSandbox(
        `no sandbox answers at ${url} (${whyNot(error)}): start one with \`npx hookproof sandbox\`, or name another with --sandbox`,
      )
    }
  }

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
    const sent = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const response = await request(path, { method, signal: AbortSignal.timeout(TIMEOUT_MS), ...sent })
    return answerOf(response)
  }

  async function answerOf(response: Response): Promise<Record<string, unknown>> {
    const answer = parsed(await response.text())
    if (response.ok && answer !== undefined) return answer
    const said = answer?.['error']
    if (typeof said !== 'string') throw stranger(url)
    throw new UsageError(said.replace(/\s+/g, ' ').replace(/\.$/, ''))
  }

  const found: SandboxClient = {
    url,
    call,
    async open(path, signal) {
      const response = await request(path, { method: 'POST', signal })
      if (!response.ok) await answerOf(response)
      return response
    },
  }
  // Other programs have a /healthz or an error of their own; only a sandbox has a clock.
  const clock = await call('GET', '/clock').catch((error: unknown) => {
    throw error instanceof NoSandbox ? error : stranger(url)
  })
  if (typeof clock['offset_ms'] !== 'number') throw stranger(url)
  return found
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host can not be reached',
  ENETUNREACH: 'the network can not be reached',
  TimeoutError: `no answer within ${TIMEOUT_MS / 1000} s`,
  // Fetch has a list of ports that it never calls.
  'bad port': 'nothing of the web is ever served at this port',
}

function whyNot(error: unknown): string {
  const { name, cause } = error as { name: string; cause?: { code?: string; message?: string } }
  return WORDS[cause?.code ?? cause?.message ?? name] ?? cause?.code ?? name
}

const stranger = (url: string): UsageError =>
  new UsageError(`what answers at ${url} is no sandbox: name another address with --sandbox`)

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
