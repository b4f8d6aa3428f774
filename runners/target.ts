import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { HarnessError } from '../conformance/errors.ts'
import { httpUrl } from '../conformance/run/http-url.ts'
import type { ConformanceOptions, Receiver } from './options.ts'

/** How long the user's function may take to make its receiver, in milliseconds. */
const MADE_WITHIN_MS = 60_000

/** A receiver that takes deliveries. */
export interface Opened {
  /** Its webhook endpoint. */
  readonly url: URL
  /** Closes what was opened for the tests, and nothing else. */
  readonly close: () => Promise<void>
}

/**
 * Makes a receiver reachable.
 *
 * @throws HarnessError `bad_option` when it is none, or when the function that makes it fails.
 */
export async function open({ target, path }: Pick<ConformanceOptions, 'target' | 'path'>): Promise<Opened> {
  const receiver = isMaker(target) ? await make(target) : target
  if (typeof receiver === 'string' || receiver instanceof URL) {
    return { url: at(httpUrl(String(receiver), 'target'), path), close: async () => undefined }
  }
  if (receiver instanceof Server && receiver.listening) {
    // Whoever let it listen will close it.
    return { url: at(addressOf(receiver), path ?? '/webhooks'), close: async () => undefined }
  }
  const server = receiver instanceof Server ? receiver : createServer(listenerOf(receiver))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: at(addressOf(server), path ?? '/webhooks'), close: () => close(server) }
}

type Maker = () => Receiver | Promise<Receiver>

/** A request listener has parameters: Express's has three, Node's two. */
function isMaker(target: ConformanceOptions['target']): target is Maker {
  return typeof target === 'function' && target.length === 0
}

async function make(maker: Maker): Promise<Receiver> {
  const made = new AbortController()
  const late = pause(MADE_WITHIN_MS, undefined, { signal: made.signal }).then(() => {
    throw new Error(`it took more than ${MADE_WITHIN_MS / 1000} s`)
  })
  try {
    return await Promise.race([Promise.resolve().then(maker), late])
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HarnessError('bad_option', `the function given as target failed: ${why.split('\n', 1)[0]}`, {
      cause: error,
    })
  } finally {
    made.abort()
  }
}

function listenerOf(receiver: unknown): RequestListener {
  if (typeof receiver === 'function') return receiver as RequestListener
  throw new HarnessError(
    'bad_option',
    `target is ${receiver === null ? 'null' : typeof receiver}: give an app, a request listener, an http.Server or a URL, or a function without parameters that returns one`,
  )
}

function addressOf(server: Server): URL {
  const address = server.address()
  if (address === null || typeof address === 'string') {
    throw new HarnessError(
      'bad_option',
      'target listens on no TCP port: give a server that does, or one that does not listen yet',
    )
  }
  const { family, port } = address
  const wild = ['0.0.0.0', '::'].includes(address.address)
  const name = wild ? (family === 'IPv6' ? '::1' : '127.0.0.1') : address.address
  const scheme = server instanceof SecureServer ? 'https' : 'http'
  return new URL(`${scheme}://${family === 'IPv6' ? `[${name}]` : name}:${port}`)
}

function at(url: URL, path: string | undefined): URL {
  return path === undefined ? url : new URL(path, url)
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function') {
    server.closeAllConnections()
  }
  await closed
}
