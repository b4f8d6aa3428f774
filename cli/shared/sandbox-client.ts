import { withoutCredentials } from '../../conformance/http-url.ts'
import { UsageError } from './exit.ts'
import type { Io } from './io.ts'
import { oneLine } from './text.ts'

/** A running sandbox, as other commands call it: through its own API under /sandbox. */
export type SandboxClient = Awaited<ReturnType<typeof findSandbox>>

/** The options by which a command finds its sandbox. */
export interface ClientOptions {
  readonly sandbox?: string
}

/** Where a sandbox runs, and is looked for, unless an option says otherwise. */
export const DEFAULT_SANDBOX = 'http://127.0.0.1:4100'
const TIMEOUT_MS = 10_000

/** The sandbox is unreachable, or does not respond in time: `listen` tries again. */
export class NoSandbox extends UsageError {}

/** Finds the sandbox. @throws UsageError when there is none at the address */
export async function findSandbox({ sandbox }: ClientOptions, { env }: Io) {
  const address = sandbox ?? (env['HOOKPROOF_SANDBOX'] || DEFAULT_SANDBOX)
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new UsageError(
      `--sandbox ${oneLine(withoutCredentials(address))} is not an http address: use one like ${DEFAULT_SANDBOX}`,
    )
  }
  const { origin: url, password: inUrl } = new URL(address)
  const password = inUrl === '' ? env['HOOKPROOF_DASHBOARD_PASSWORD'] : decoded(inUrl)
  const credentials = Buffer.from(`hookproof:${password}`).toString('base64')

  async function request(path: string, init: RequestInit): Promise<Response> {
    try {
      const headers = new Headers(init.headers)
      if (password !== undefined) headers.set('Authorization', `Basic ${credentials}`)
      return await fetch(`${url}/sandbox${path}`, { redirect: 'manual', ...init, headers })
    } catch (error) {
      throw new NoSandbox(
        `no sandbox at ${url} (${reasonOf(error)}): start one with \`npx hookproof sandbox\`, or set --sandbox`,
        { code: 'unreachable' },
      )
    }
  }

  /**
   * Calls the API.
   * @throws UsageError with the sandbox's own message when it refuses; NoSandbox when it is unreachable
   */
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await request(path, { method, signal: AbortSignal.timeout(TIMEOUT_MS), ...jsonOf(body) })
    return contentOf(response)
  }

  async function contentOf(response: Response): Promise<Record<string, unknown>> {
    const content = parsed(await response.text())
    if (response.ok && content !== undefined) return content
    const message = content?.['error']
    if (typeof message !== 'string') throw notASandbox(url)
    if (response.status === 401) throw needsPassword(url)
    const code = CODES[response.status]
    throw new UsageError(message.replace(/\s+/g, ' ').replace(/\.$/, ''), code === undefined ? {} : { code })
  }

  // Other programs may have a /healthz; only a sandbox has a clock.
  const clock = await call('GET', '/clock').catch((error: unknown) => {
    throw error instanceof NoSandbox || isRefusal(error) ? error : notASandbox(url)
  })
  if (typeof clock['offset_ms'] !== 'number') throw notASandbox(url)
  return {
    /** For example `http://127.0.0.1:4100`. */
    url,
    call,
    /** The same, for a response that is read as it arrives. */
    async open(path: string, body: object, signal: AbortSignal): Promise<Response> {
      const response = await request(path, { method: 'POST', signal, ...jsonOf(body) })
      if (!response.ok) await contentOf(response)
      return response
    },
  }
}

const jsonOf = (body: object | undefined): RequestInit =>
  body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }

/** The codes of the sandbox's refusals by status; any other is a mistake in the command line. */
const CODES: Readonly<Record<number, string>> = { 404: 'not_found', 409: 'conflict' }

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  TimeoutError: `no response within ${TIMEOUT_MS / 1000} s`,
  // Fetch has a list of ports that it never calls.
  'bad port': 'HTTP clients block this port',
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as { name: string; cause?: { code?: string; message?: string } }
  return REASONS[cause?.code ?? cause?.message ?? name] ?? cause?.code ?? name
}

const needsPassword = (url: string): UsageError =>
  new UsageError(
    `${url} requires its dashboard password: set HOOKPROOF_DASHBOARD_PASSWORD to what the sandbox printed at its start`,
    { code: 'unauthorized' },
  )

const isRefusal = (error: unknown): boolean => error instanceof UsageError && error.code === 'unauthorized'

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const notASandbox = (url: string): UsageError =>
  new UsageError(`${url} is not a hookproof sandbox: set --sandbox to the address of one`)

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
