import { createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../schemas/types.ts'
import { type Finished, type Received, SECRET, type Served, serve } from './support.ts'

export type Event = Readonly<Record<string, unknown>>

/** Everything in which a receiver can be wrong, each a small part of its own. */
export interface Behaviour {
  /** Answers before anything else is looked at: a status, or undefined to go on. */
  gate: (request: IncomingMessage, body: Buffer) => number | undefined
  headerOf: (request: IncomingMessage) => string
  entries: (header: string) => { times: string[]; signatures: string[] }
  /** Unix seconds; undefined when `t` is no time. */
  seconds: (t: string) => number | undefined
  /** `age` in seconds, below zero for the future. */
  inWindow: (age: number) => boolean
  /** The times of which the one that is signed may be any. */
  signedTimes: (times: string[]) => string[]
  keys: (secret: string) => (string | Buffer)[]
  messages: (t: string, body: Buffer) => Buffer[]
  same: (expected: string, given: string) => boolean
  /** Looks at the body before its signature is checked. */
  peek: (body: Buffer, handle: (event: Event) => void) => void
  /** Whether the key is written down before the signature is checked. */
  claimsFirst: boolean
  /** The status of a refusal; 0 drops the connection, -1 stays silent. */
  status: (problem: Problem) => number
  /** The body of a refusal. */
  explain: (problem: Problem, known: { secret: string; expected: string | undefined }) => string
  /** A status to refuse a verified event with, or undefined. */
  dislike: (event: Event) => number | undefined
  acknowledge: (event: Event, response: ServerResponse) => void
  keyOf: (event: Event, body: Buffer, header: string) => string
  /** How long it takes between looking a key up and writing it down, in milliseconds. */
  gapMs: number
  /** Whether an acknowledged event is then handled. */
  keeps: () => boolean
  effectOf: (event: Event, before: readonly Effect[]) => Effect | undefined
}

/** Why a delivery is refused. */
class Problem extends Error {
  readonly code: number
  constructor(code: number, what: string) {
    super(what)
    this.code = code
  }
}

export const text = (value: unknown) => (typeof value === 'string' ? value : '')
export const nameOf = (event: Event) =>
  text(event['event']) || (event['test'] === true ? `payment.${text(event['status'])}` : '')
export const idOf = (event: Event) => text(event['payment_id'] ?? event['id'])
export const effect = (event: Event, what: Effect['effect']): Effect => ({
  event: nameOf(event),
  effect: what,
  amount: text(event['amount']),
  currency: text(event['currency']),
  livemode: event['livemode'] !== false,
})

export const CORRECT: Behaviour = {
  gate: ({ method }, body) => (method === 'POST' ? (body.length > 2 ** 20 ? 413 : undefined) : 405),
  headerOf: ({ headersDistinct }) => (headersDistinct['x-service-signature'] ?? []).join(','),
  entries(header) {
    const found = header.split(',').map((entry) => /^([^=]*)=(.*)$/.exec(entry) ?? [])
    const labelled = (label: string) =>
      found.flatMap(([, name, value]) => (name === label ? (value ?? '') : []))
    return { times: labelled('t'), signatures: labelled('v1') }
  },
  seconds: (t) => (/^\d{1,12}$/.test(t) ? Number(t) : undefined),
  inWindow: (age) => Math.abs(age) <= 300,
  signedTimes: (times) => times.slice(0, 1),
  keys: (secret) => [secret],
  messages: (t, body) => [Buffer.concat([Buffer.from(`${t}.`), body])],
  same: (expected, given) => expected === given,
  peek: () => undefined,
  claimsFirst: false,
  status: ({ code }) => code,
  explain: ({ message }) => JSON.stringify({ error: message }),
  dislike: () => undefined,
  acknowledge: (_, response) => void response.writeHead(200).end(),
  keyOf: (event) => JSON.stringify([idOf(event), nameOf(event), event['amount_received'], event['type']]),
  gapMs: 0,
  keeps: () => true,
  effectOf(event, before) {
    const reversed = before.some(({ effect }) => effect === 'reversed')
    if (nameOf(event) === 'payment.refunded') return reversed ? undefined : effect(event, 'reversed')
    return nameOf(event) === 'payment.completed' && !reversed ? effect(event, 'fulfilled') : undefined
  },
}

/** How a small receiver departs from the usual. */
export interface Setting {
  readonly behaviour?: Partial<Behaviour>
  /** Its clock minus this machine's, in seconds. */
  readonly aheadSeconds?: number
  /** The same for its Date header, where that is another clock's. */
  readonly dateAheadSeconds?: number
  /** How long after the acknowledgement the effect shows, in milliseconds. */
  readonly effectAfterMs?: number
  readonly finished?: Finished
}

export interface SmallReceiver extends Served {
  /** Where its effects show. */
  readonly observe: string
}

/** A receiver of its own making: it shares no line with the reference receiver, nor with the signer. */
export async function smallReceiver(setting: Setting = {}): Promise<SmallReceiver> {
  const { aheadSeconds = 0, dateAheadSeconds = aheadSeconds, effectAfterMs = 0 } = setting
  const is: Behaviour = { ...CORRECT, ...setting.behaviour }
  const now = () => Math.floor(Date.now() / 1000) + aheadSeconds
  const seen = new Set<string>()
  const shown = new Map<string, Effect[]>()

  function verify(header: string, body: Buffer): void {
    const { times, signatures } = is.entries(header)
    const [t] = times
    if (t === undefined || signatures.length === 0) throw new Problem(400, 't or v1 is missing')
    const signedAt = is.seconds(t)
    if (signedAt === undefined) throw new Problem(400, 't is no time')
    if (!is.inWindow(now() - signedAt)) throw new Problem(400, 't is outside the window')
    const expected = is.signedTimes(times).flatMap((time) => expectedFor(time, body))
    if (!signatures.some((given) => expected.some((one) => is.same(one, given)))) {
      throw new Problem(401, 'wrong signature')
    }
  }
  const expectedFor = (t: string, body: Buffer) =>
    is
      .keys(SECRET)
      .flatMap((key) =>
        is.messages(t, body).map((message) => createHmac('sha256', key).update(message).digest('hex')),
      )

  async function claim(event: Event, body: Buffer, header: string): Promise<boolean> {
    const key = is.keyOf(event, body, header)
    if (seen.has(key)) return false
    if (is.gapMs > 0) await pause(is.gapMs)
    seen.add(key)
    return true
  }
  function show(event: Event): void {
    const before = shown.get(idOf(event)) ?? []
    const one = is.effectOf(event, before)
    if (one !== undefined) shown.set(idOf(event), [...before, one])
  }

  async function receive({ request, body }: Received, response: ServerResponse): Promise<void> {
    const header = is.headerOf(request)
    try {
      const barred = is.gate(request, body)
      if (barred !== undefined) throw new Problem(barred, 'barred')
      is.peek(body, show)
      const claimed = is.claimsFirst ? await claim(eventIn(body), body, header) : undefined
      verify(header, body)
      const event = eventIn(body)
      const disliked = is.dislike(event)
      if (disliked !== undefined) throw new Problem(disliked, 'not this one')
      const kept = is.keeps()
      is.acknowledge(event, response)
      if (effectAfterMs > 0) await pause(effectAfterMs)
      if (kept && (claimed ?? (await claim(event, body, header)))) show(event)
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem(500, 'broken')
      const t = /t=(\d+)/.exec(header)?.[1] ?? ''
      const status = is.status(problem)
      if (status < 0) return
      if (status === 0) response.destroy()
      else
        response
          .writeHead(status)
          .end(is.explain(problem, { secret: SECRET, expected: expectedFor(t, body)[0] }))
    }
  }

  const served = await serve(async (received, response) => {
    const { pathname, searchParams } = new URL(received.request.url ?? '', 'http://localhost')
    if (dateAheadSeconds !== 0)
      response.setHeader('Date', new Date(Date.now() + dateAheadSeconds * 1000).toUTCString())
    if (pathname !== '/observe') return receive(received, response)
    const effects = shown.get(searchParams.get('payment_id') ?? '') ?? []
    return response.end(JSON.stringify({ effects }))
  }, setting.finished)
  return { ...served, url: `${served.url}/webhooks`, observe: `${served.url}/observe` }
}

function eventIn(body: Buffer): Event {
  let event: unknown
  try {
    event = JSON.parse(body.toString())
  } catch {
    throw new Problem(400, 'no JSON')
  }
  if (typeof event !== 'object' || event === null) throw new Problem(400, 'no event')
  const found = event as Event
  if (nameOf(found) === '' || idOf(found) === '') throw new Problem(400, 'no event')
  return found
}
