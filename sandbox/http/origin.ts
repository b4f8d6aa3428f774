/** Returns the sandbox's origin, such as `http://127.0.0.1:4100`, for a client that sent this Host header. */
export type OriginOf = (host?: string) => string

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/i

/** A host name or IP address with an optional port, and nothing that would change the URL around it. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * How the sandbox determines its own origin. If it listens on loopback only, it ignores the Host header: another site's
 * page may have rebound that name to this machine. If other machines can reach it, it uses the name that they used,
 * since it cannot know that name otherwise.
 * @param own the origin for this machine
 * @param listensOn the address it listens on
 */
export function originOf(own: string, listensOn: string): OriginOf {
  if (LOOPBACK.test(listensOn)) return () => own
  return (host) =>
    host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`) ? `http://${host}` : own
}
