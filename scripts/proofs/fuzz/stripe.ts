import { Stripe } from 'stripe'
import type { Input, Settings } from './oracle.ts'

/** Why an input is not compared with stripe's verifier: its contract differs, by design or for historical reasons. */
export type Exclusion =
  | 'not one header'
  | 't is not plain'
  | 't in the future'
  | 'several t'
  | 'more than 16 v1'
  | 'v1 with ='
  | 'v1 empty'
  | 'body not UTF-8'
  | 'body with a byte-order mark'
  | 'header not ASCII'
  | 'stripe event v2'

const stripe = new Stripe('sk_test_none')

/**
 * Where the two contracts differ:
 * - stripe takes one header as text; the HTTP server decides what two header lines become
 * - it parses `t` with parseInt and signs the number, so `t=12abc` counts as 12 and leading zeros are lost
 * - it refuses a `t` that is too old, but accepts every `t` in the future
 * - it uses the last of several `t`, and tries any number of `v1`
 * - it splits an entry at each `=`, and an empty `v1` makes it refuse a valid one beside it
 * - it decodes the body to text before it hashes, which changes bytes that are not UTF-8 and a byte-order mark
 * - it leaves header bytes beyond ASCII to the HTTP server
 * - it refuses stripe's own version 2 events
 */
export function exclusionOf({ headers, body }: Input, { now }: Settings): Exclusion | undefined {
  const [header] = headers
  if (header === undefined || headers.length !== 1) return 'not one header'
  const entries = header
    .toString('latin1')
    .replace(/^[ \t]+|[ \t]+$/g, '')
    .split(',')
  const times = entries.filter((entry) => entry.startsWith('t=') || entry === 't')
  const signatures = entries.filter((entry) => entry.startsWith('v1=') || entry === 'v1')
  if (times.length > 1) return 'several t'
  const t = times[0]?.slice(2)
  if (t !== undefined && !/^(0|[1-9][0-9]{0,11})$/.test(t)) return 't is not plain'
  if (t !== undefined && Number(t) - now > 300) return 't in the future'
  if (signatures.length > 16) return 'more than 16 v1'
  if (signatures.some((entry) => entry.slice(3).includes('='))) return 'v1 with ='
  if (signatures.some((entry) => entry.slice(3) === '')) return 'v1 empty'
  if (header.some((byte) => byte > 0x7e || byte < 0x20)) return 'header not ASCII'
  if (!Buffer.from(body.toString('utf8')).equals(body)) return 'body not UTF-8'
  if (body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'body with a byte-order mark'
  if (body.includes('v2.core.event')) return 'stripe event v2'
  return undefined
}

/** Whether stripe's verifier accepts a delivery: its signature, its age, and its body as JSON. */
export function stripeAccepts({ headers, body }: Input, { secret, now }: Settings): boolean {
  try {
    const header = headers[0]?.toString('latin1').replace(/^[ \t]+|[ \t]+$/g, '') ?? ''
    stripe.webhooks.constructEvent(body, header, secret, 300, undefined, now * 1000)
    return true
  } catch {
    return false
  }
}
