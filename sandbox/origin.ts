/** Tells where the sandbox is reached, such as `http://127.0.0.1:4100`, by whoever sent this header `Host`. */
export type OriginOf = (host?: string) => string

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/i

/** A name or an address, and a port: nothing that would make another address of the text around it. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Where a sandbox says that it is. One that listens for this machine alone has one address, whatever a request says:
 * the name in it may have been rebound to this machine by somebody else's page. One that others reach is there for them
 * by the name that they used, which it can not know otherwise.
 * @param own how this machine itself reaches it
 * @param listensOn the address that it listens on
 */
export function originOf(own: string, listensOn: string): OriginOf {
  if (LOOPBACK.test(listensOn)) return () => own
  return (host) =>
    host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`) ? `http://${host}` : own
}
