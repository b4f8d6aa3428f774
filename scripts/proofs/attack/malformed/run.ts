import { connect } from 'node:net'
import type { SentEvent, Traffic } from '../../shared/traffic.ts'
import type { Delivery } from '../judge.ts'
import { deliver } from '../measure.ts'
import { REQUESTS, write } from './requests.ts'

const AT_ONCE = 8
/** How long the connection must be silent after an answer, so that a hidden request would have been answered too. */
const SILENT_MS = 250
/** How long an answer may take. A receiver may wait for the rest of what looks incomplete. */
const ANSWER_MS = 1000

/** What a receiver did with the malformed requests. */
export type MalformedResult = Awaited<ReturnType<typeof sendMalformed>>

/** Sends every malformed request over a connection of its own, each followed by a valid delivery. */
export async function sendMalformed(port: number, traffic: Traffic, malformedTraffic: Traffic) {
  /** How many requests got which status code, or no answer. */
  const answers = new Map<string, number>()
  /** The valid deliveries that followed each of them. */
  const deliveries: Delivery[] = []
  /** Every event that the requests contained. */
  const events: SentEvent[] = []
  /** The events that must not be stored, with the name of the request that contained them. */
  const forbidden = new Map<SentEvent, string>()
  const violations: string[] = []
  const left = [...REQUESTS]

  async function worker(): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [name, { text, mayAccept, ends }] = next
      const own: SentEvent[] = []
      const written = write(text, malformedTraffic, (event) => own.push(event))
      const bytes = Buffer.from(written, 'latin1')
      const reply = await exchange(port, bytes, ends)
      const statuses = [...reply.matchAll(/^HTTP\/1\.[01] (\d{3})/gm)].map(([, status]) => Number(status))
      const final = statuses.filter((status) => status >= 200)
      const first = String(final[0] ?? 'no answer')
      answers.set(first, (answers.get(first) ?? 0) + 1)
      violations.push(...problemsOf(reply, statuses, mayAccept).map((problem) => `${name}: ${problem}`))
      events.push(...own)
      const [visible, ...hidden] = own
      for (const event of hidden) forbidden.set(event, name)
      if (visible !== undefined) {
        if (!mayAccept) forbidden.set(visible, name)
        else if (final[0] === 200) visible.acknowledged = true
      }
      deliveries.push(await deliver(port, traffic))
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return { requests: REQUESTS.size, answers, deliveries, events, forbidden, violations }
}

/** The malformed requests that the receiver has stored although it must refuse them. */
export function acceptedAmong(
  { forbidden }: MalformedResult,
  stored: readonly { readonly paymentId: string; readonly event: string }[],
): string[] {
  const keys = new Set(stored.map(({ paymentId, event }) => `${paymentId} ${event}`))
  return [...forbidden]
    .filter(([{ paymentId, event }]) => keys.has(`${paymentId} ${event}`))
    .map(([, name]) => `${name}: the receiver stored an event of a request that it must refuse`)
}

/** What is wrong with the answer to a malformed request. */
function problemsOf(reply: string, statuses: readonly number[], mayAccept: boolean): string[] {
  const problems: string[] = []
  const accepted = statuses.filter((status) => status >= 200 && status < 400).length
  if (accepted > (mayAccept ? 1 : 0)) problems.push(`answered ${statuses.join(', ')}`)
  if (reply !== '' && statuses.length === 0) problems.push('answered without a status line')
  if (statuses.some((status) => status >= 500 && status !== 501 && status !== 505))
    problems.push(`answered ${statuses.join(', ')}`)
  if (/\n\s+at |node_modules|whsec_|\.[jt]s:\d/.test(reply)) problems.push('the answer shows internals')
  return problems
}

/** Sends bytes as they are. @returns everything that the receiver answers until it closes or is silent, as latin1 text */
function exchange(port: number, bytes: Buffer, ends: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const received: Buffer[] = []
    let timer = setTimeout(() => socket.destroy(), ANSWER_MS)
    socket.on('data', (data) => {
      received.push(data)
      clearTimeout(timer)
      timer = setTimeout(() => socket.destroy(), SILENT_MS)
    })
    socket.on('end', () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(received).toString('latin1'))
    })
    if (ends) socket.end(bytes)
    else socket.write(bytes)
  })
}
