import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether an IP address, as a socket reports it, is this machine's loopback. IPv4-mapped addresses count as IPv4. */
export function isLoopbackAddress(address: string | undefined): boolean {
  const family = isIP(address ?? '')
  return family !== 0 && LOOPBACK.check(address ?? '', family === 4 ? 'ipv4' : 'ipv6')
}

/** Whether the host name of a URL always leads to this machine. */
export const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || isLoopbackAddress(name.replaceAll(/^\[|\]$/g, ''))

/**
 * Whether a request comes from a program on this machine, by the address of its socket, which a client cannot forge. A proxy
 * on this machine forwards requests of others.
 */
export const isLocalPeer = ({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopbackAddress(socket.remoteAddress) &&
  headers['x-forwarded-for'] === undefined &&
  headers.forwarded === undefined

/** The host name in an HTTP Host header, without the port; undefined if it is malformed. */
export const nameInHost = (host: string): string | undefined =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : undefined

/** The origin that a browser sends with forms of a page that it loaded from this Host. */
export function originOfPage({ headers }: Pick<IncomingMessage, 'headers'>): string {
  // Set by proxies that add TLS. Pages of other sites cannot set it.
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  return `${scheme}://${headers.host ?? ''}`
}
