import net from 'node:net'
import tls from 'node:tls'
import type { Delivery } from '../delivery.ts'
import type { Target } from '../target.ts'
import { destination, headerLines } from './head.ts'
import { tlsOptions } from './trust.ts'

/** Opens a connection that is used for nothing else. */
export function connect({ url, trust }: Target): net.Socket {
  const { host, port } = destination(url)
  if (url.protocol !== 'https:') return net.connect({ host, port })
  // An IP address is not a server name.
  return tls.connect({
    host,
    port,
    ...tlsOptions(trust),
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
  })
}

/** The head and the body of a delivery, as they are written to the connection. */
export function requestBytes(delivery: Delivery, target: Target): [head: Buffer, body: Buffer] {
  const { path } = destination(target.url)
  const version = delivery.transport?.kind === 'raw' ? delivery.transport.version : '1.1'
  const lines = headerLines(delivery, target).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${delivery.method} ${delivery.route?.(path) ?? path} HTTP/${version}\r\n${lines.join('')}\r\n`
  return [Buffer.from(head, 'latin1'), delivery.body]
}
