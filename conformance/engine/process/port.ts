import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { awakeNow } from '../time/awake.ts'

/** How long one connection may take, in milliseconds. */
const CONNECT_WITHIN_MS = 1_000
const POLL_MS = 10

/** The port of a URL, also where it is the default of the protocol. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/** Whether something accepts connections at the host and port of a URL. */
export function takesConnections(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(url) })
    const settle = (open: boolean) => () => {
      socket.destroy()
      resolve(open)
    }
    socket.setTimeout(CONNECT_WITHIN_MS, settle(false))
    socket.once('connect', settle(true))
    socket.once('error', settle(false))
  })
}

/** Waits until nothing accepts connections any longer. @returns false when something still does after `withinMs` */
export async function untilRefused(url: URL, withinMs: number): Promise<boolean> {
  const deadline = awakeNow() + withinMs
  while (await takesConnections(url)) {
    if (awakeNow() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}
