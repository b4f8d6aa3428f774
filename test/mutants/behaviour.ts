import type { IncomingMessage, ServerResponse } from 'node:http'

export type Event = Readonly<Record<string, unknown>>

/** One thing that was done because of an event. */
export interface Effect {
  readonly event: string
  readonly effect: 'fulfilled' | 'reversed'
  readonly amount: string
  readonly currency: string
  readonly livemode?: boolean
}

/** Everything in which a receiver can be wrong, each a small part of its own. */
export interface Behaviour {
  /** How long a body may take to arrive, in milliseconds. */
  bodyWithinMs: number
  /** Puts the pieces of a body together. */
  join: (chunks: readonly Buffer[], request: IncomingMessage) => Buffer
  /** What is done with the part of a body whose sender broke off; `seen` are the keys of what was handled. */
  brokenOff: (body: Buffer, seen: Set<string>) => void
  /** Answers before anything else is looked at: a status, or undefined to go on. */
  gate: (request: IncomingMessage, body: Buffer) => number | undefined
  headerOf: (request: IncomingMessage) => string
  entries: (header: string) => { times: string[]; signatures: string[] }
  /** Whether a delivery is taken without a look at its time and signature. */
  trusts: (header: string) => boolean
  /** Whether the signature is checked before the window. */
  signatureFirst: boolean
  /** The time that is held against the clock. */
  clockTime: (times: string[]) => string | undefined
  /** Unix seconds; undefined when `t` is no time. */
  seconds: (t: string) => number | undefined
  /** `age` in seconds, below zero for the future. */
  inWindow: (age: number, t: string) => boolean
  /** The times of which the one that is signed may be any. */
  signedTimes: (times: string[]) => string[]
  keys: (secret: string) => (string | Buffer)[]
  hashes: readonly string[]
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
  /** Reads a verified body. */
  parse: (body: Buffer) => unknown
  /** Whether what was parsed is an event; what is not gets 400. */
  isEvent: (value: unknown) => value is Event
  /** The status to refuse a verified event with, or undefined. */
  dislike: (event: Event) => number | undefined
  acknowledge: (event: Event, response: ServerResponse) => unknown
  keyOf: (event: Event, body: Buffer, header: string) => string
  /** How many keys are remembered. */
  remembers: number
  /** How long it takes between looking a key up and writing it down, in milliseconds. */
  gapMs: number
  /** Whether an acknowledged event is then handled. */
  keeps: (event: Event) => boolean
  effectOf: (event: Event, before: readonly Effect[]) => Effect | undefined
}

/** Why a delivery is refused. */
export class Problem extends Error {
  readonly code: number
  constructor(code: number, what: string) {
    super(what)
    this.code = code
  }
}

export const text = (value: unknown) => (typeof value === 'string' ? value : '')
export const nameOf = (event: Event) =>
  text(event['event']) ||
  (event['event'] === undefined && event['test'] === true ? `payment.${text(event['status'])}` : '')
export const idOf = (event: Event) => text(event['payment_id'] ?? event['id'])
export const effect = (event: Event, what: Effect['effect']): Effect => ({
  event: nameOf(event),
  effect: what,
  amount: text(event['amount']),
  currency: text(event['currency']),
  livemode: event['livemode'] !== false,
})
export const signing = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))
export const labelled = (header: string, label: string) =>
  header.split(',').flatMap((entry) => {
    const [, name, value = ''] = /^([^=]*)=(.*)$/.exec(entry) ?? []
    return name === label ? value : []
  })

/** What a correct receiver does. */
export const CORRECT: Behaviour = {
  bodyWithinMs: 10_000,
  join: (chunks) => Buffer.concat(chunks),
  brokenOff: () => undefined,
  gate: ({ method }, body) => (method === 'POST' ? (body.length > 2 ** 20 ? 413 : undefined) : 405),
  headerOf: ({ headersDistinct }) => (headersDistinct['x-service-signature'] ?? []).join(','),
  entries: (header) => ({ times: labelled(header, 't'), signatures: labelled(header, 'v1') }),
  trusts: () => false,
  signatureFirst: false,
  clockTime: ([first]) => first,
  seconds: (t) => (/^\d{1,12}$/.test(t) ? Number(t) : undefined),
  inWindow: (age) => Math.abs(age) <= 300,
  signedTimes: (times) => times.slice(0, 1),
  keys: (secret) => [secret],
  hashes: ['sha256'],
  messages: (t, body) => [signing(`${t}.`, body)],
  same: (expected, given) => expected === given,
  peek: () => undefined,
  claimsFirst: false,
  status: ({ code }) => code,
  explain: ({ message }) => JSON.stringify({ error: message }),
  parse: (body) => JSON.parse(body.toString()),
  isEvent: (value): value is Event =>
    typeof value === 'object' &&
    value !== null &&
    nameOf(value as Event) !== '' &&
    idOf(value as Event) !== '',
  dislike: () => undefined,
  acknowledge: (_, response) => response.writeHead(200).end(),
  keyOf: (event) => JSON.stringify([idOf(event), nameOf(event), event['amount_received'], event['type']]),
  remembers: Number.POSITIVE_INFINITY,
  gapMs: 0,
  keeps: () => true,
  effectOf(event, before) {
    const reversed = before.some(({ effect }) => effect === 'reversed')
    if (nameOf(event) === 'payment.refunded') return reversed ? undefined : effect(event, 'reversed')
    return nameOf(event) === 'payment.completed' && !reversed ? effect(event, 'fulfilled') : undefined
  },
}
