import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { Server as SecureServer } from 'node:https'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { HarnessError } from '../conformance/harness-error.ts'
import { httpUrl } from '../conformance/http-url.ts'
import type { ConformanceOptions, Receiver } from './options.ts'

/** How long the user's function may take to create its receiver, in milliseconds. */
const CREATED_WITHIN_MS = 60_000

/** A receiver that is ready for deliveries. */
export interface Opened {
  /** Its webhook endpoint. */
  readonly url: URL
  /** Closes the server that was opened for the tests, and nothing else. */
  readonly close: () => Promise<void>
}

/**
 * Makes a receiver reachable.
 *
 * @throws HarnessError `bad_option` when `target` is not a receiver, or the function that creates it fails
 */
export async function open({ target, path }: Pick<ConformanceOptions, 'target' | 'path'>): Promise<Opened> {
  const receiver = isFactory(target) ? await create(target) : target
  if (typeof receiver === 'string' || receiver instanceof URL) {
    return { url: at(httpUrl(String(receiver), 'target'), path), close: async () => undefined }
  }
  if (receiver instanceof Server && receiver.listening) {
    // Its owner started it, and closes it.
    return { url: at(addressOf(receiver), path ?? '/webhooks'), close: async () => undefined }
  }
  const server = receiver instanceof Server ? receiver : createServer(listenerOf(receiver))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: at(addressOf(server), path ?? '/webhooks'), close: () => close(server) }
}

type Factory = () => Receiver | Promise<Receiver>

/** A request listener has parameters: Express's has three, Node's two. */
function isFactory(target: ConformanceOptions['target']): target is Factory {
  return typeof target === 'function' && target.length === 0
}

async function create(factory: Factory): Promise<Receiver> {
  const created = new AbortController()
  const late = pause(CREATED_WITHIN_MS, undefined, { signal: created.signal }).then(() => {
    throw new Error(`it took longer than ${CREATED_WITHIN_MS / 1000} s`)
  })
  try {
    return await Promise.race([Promise.resolve().then(factory), late])
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new HarnessError('bad_option', `the function "target" failed: ${why.split('\n', 1)[0]}`, {
      cause: error,
      names: ['target'],
    })
  } finally {
    created.abort()
  }
}

function listenerOf(receiver: unknown): RequestListener {
  if (typeof receiver === 'function') return receiver as RequestListener
  throw new HarnessError(
    'bad_option',
    `"target" is ${receiver === null ? 'null' : typeof receiver}: set it to an app, a request listener, an http.Server, a URL, or a function without parameters that returns one of these`,
    { names: ['target'] },
  )
}

function addressOf(server: Server): URL {
  const address = server.address()
  if (address === null || typeof address === 'string') {
    throw new HarnessError(
      'bad_option',
      '"target" does not listen on a TCP port: use a server that does, or one that does not listen yet',
      { names: ['target'] },
    )
  }
  const { family, port } = address
  const wildcard = ['0.0.0.0', '::'].includes(address.address)
  const host = wildcard ? (family === 'IPv6' ? '::1' : '127.0.0.1') : address.address
  const scheme = server instanceof SecureServer ? 'https' : 'http'
  return new URL(`${scheme}://${family === 'IPv6' ? `[${host}]` : host}:${port}`)
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
