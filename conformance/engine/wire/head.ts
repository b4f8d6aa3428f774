import type { Delivery, HeaderLine } from '../../contracts/payment-service/delivery.ts'
import type { Target } from '../target.ts'
import { framing } from './body.ts'

/** All header lines of a delivery as they are sent, in order. */
export function headerLines(delivery: Delivery, target: Target): HeaderLine[] {
  const name = inCase(target.signatureHeader, delivery.nameCase)
  const signature = delivery.signature.map(
    (value): HeaderLine => [name, delivery.signatureEncoding === 'latin1' ? value : asBytes(value)],
  )
  const custom = [...target.headers, ...delivery.headers]
  const isCustom = (name: string) => custom.some(([own]) => own.toLowerCase() === name)
  const added: HeaderLine[] = []
  if (!isCustom('host')) added.push(['Host', target.url.host])
  if (!isCustom('user-agent')) added.push(['User-Agent', 'hookproof'])
  return [...added, ...custom, ...signature, ...framing(delivery)]
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

/** A header is bytes; text outside ASCII is sent as its UTF-8 bytes. */
function asBytes(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

function inCase(name: string, nameCase: Delivery['nameCase']): string {
  if (nameCase === 'lower') return name.toLowerCase()
  return nameCase === 'upper' ? name.toUpperCase() : name
}
