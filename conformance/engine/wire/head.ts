import type { Delivery, HeaderLine } from '../delivery.ts'
import type { Target } from '../target.ts'
import { framing } from './body.ts'

/** All header lines of a delivery as they are sent, in order. */
export function headerLines(delivery: Delivery, target: Target): HeaderLine[] {
  const own = target.linesOf(delivery)
  const isOwn = (wanted: string) => own.some(([name]) => name.toLowerCase() === wanted)
  const added: HeaderLine[] = []
  if (!isOwn('host')) added.push(['Host', target.url.host])
  if (!isOwn('user-agent')) added.push(['User-Agent', 'hookproof'])
  return [...added, ...own, ...framing(delivery)]
}

/** The parts of a URL that a socket and a request line need. */
export function destination(url: URL): { host: string; port: number; path: string } {
  const secure = url.protocol === 'https:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
  }
}
