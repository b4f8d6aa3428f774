import type { IncomingMessage, ServerResponse } from 'node:http'

export type Event = Readonly<Record<string, unknown>>

/** Something that the receiver did because of an event. */
export interface Effect {
  readonly event: string
  readonly effect: 'fulfilled' | 'reversed'
  readonly amount: string
  readonly currency: string
  readonly livemode?: boolean
}

/** The parts of a receiver's behavior, each of which a mutant can get wrong. */
export interface Behavior {
  /** How long a body may take to arrive, in milliseconds. */
  bodyWithinMs: number
  /** Puts the pieces of a body together. */
  join: (chunks: readonly Buffer[], request: IncomingMessage) => Buffer
  /** Handles a partial body whose sender aborted the request; `seen` are the keys of handled events. */
  onAbort: (body: Buffer, seen: Set<string>) => void
  /** Answers before anything else is checked: a status, or undefined to continue. */
  gate: (request: IncomingMessage, body: Buffer) => number | undefined
  headerOf: (request: IncomingMessage) => string
  /** The status of a refusal before the body is read, or undefined to continue. */
  beforeBody: (request: IncomingMessage) => number | undefined
  entries: (header: string) => { times: string[]; signatures: string[] }
  /** Whether a delivery is accepted without checking its time and signature. */
  trusts: (header: string, request: IncomingMessage, body: Buffer) => boolean
  /** Whether the signature is checked before the window. */
  signatureFirst: boolean
  /** The time that is compared with the clock. */
  clockTime: (times: string[]) => string | undefined
  /** Unix seconds; undefined when `t` is not a time. */
  seconds: (t: string) => number | undefined
  /** `age` in seconds, negative for the future. */
  inWindow: (age: number, t: string) => boolean
  /** The times that the signature may cover. */
  signedTimes: (times: string[]) => string[]
  keys: (secret: string) => (string | Buffer)[]
  hashes: readonly string[]
  messages: (t: string, body: Buffer) => Buffer[]
  same: (expected: string, given: string) => boolean
  /** Reads the body before its signature is checked. */
  peek: (body: Buffer, handle: (event: Event) => void, request: IncomingMessage) => void
  /** Whether the key is recorded before the signature is checked. */
  claimsFirst: boolean
  /** The status of a refusal; 0 closes the connection, -1 sends no response. */
  status: (problem: Problem) => number
  /** Additional headers of a refusal. */
  refusalHeaders: Readonly<Record<string, string>>
  /** The body of a refusal. */
  explain: (problem: Problem, known: { secret: string; expected: string | undefined }) => string
  /** Parses a verified body. */
  parse: (body: Buffer) => unknown
  /** Whether the parsed value is an event; any other value gets 400. */
  isEvent: (value: unknown) => value is Event
  /** The status for refusing a verified event, or undefined to accept it. */
  rejects: (event: Event) => number | undefined
  acknowledge: (event: Event, response: ServerResponse) => unknown
  keyOf: (event: Event, body: Buffer, header: string) => string
  /** The mode of an event: keys and effects of different modes are kept apart. */
  modeOf: (event: Event) => string
  /** How many keys are remembered. */
  remembers: number
  /** How long a key is remembered, in milliseconds. */
  remembersMs: number
  /** The time between looking up a key and recording it, in milliseconds. */
  gapMs: number
  /** The worker that handles a connection; each worker remembers its own keys. */
  workerOf: (request: IncomingMessage) => string
  /** Whether an acknowledged event is handled. */
  keeps: (event: Event) => boolean
  /** Runs the work of an acknowledged event, now or later. */
  schedule: (work: () => void) => void
  /** When an event is handled a second time, in milliseconds after the first. */
  againAfterMs: number
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
/** The payment of an event in its mode: receivers keep test and live payments apart. */
export const paymentOf = (event: Event) => `${CORRECT.modeOf(event)} ${idOf(event)}`
export const effect = (event: Event, what: Effect['effect']): Effect => ({
  event: nameOf(event),
  effect: what,
  amount: text(event['amount']),
  currency: text(event['currency']),
  livemode: event['livemode'] !== false,
})
export const signing = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))
export const labeled = (header: string, label: string) =>
  header.split(',').flatMap((entry) => {
    const [, name, value = ''] = /^([^=]*)=(.*)$/.exec(entry) ?? []
    return name === label ? value : []
  })

/** The behavior of a correct receiver. */
export const CORRECT: Behavior = {
  bodyWithinMs: 10_000,
  join: (chunks) => Buffer.concat(chunks),
  onAbort: () => undefined,
  gate: ({ method }, body) => (method === 'POST' ? (body.length > 2 ** 20 ? 413 : undefined) : 405),
  headerOf: ({ headersDistinct }) => (headersDistinct['x-service-signature'] ?? []).join(','),
  beforeBody: () => undefined,
  entries: (header) => ({ times: labeled(header, 't'), signatures: labeled(header, 'v1') }),
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
  refusalHeaders: {},
  explain: ({ message }) => JSON.stringify({ error: message }),
  parse: (body) => JSON.parse(body.toString()),
  isEvent: (value): value is Event =>
    typeof value === 'object' &&
    value !== null &&
    nameOf(value as Event) !== '' &&
    idOf(value as Event) !== '',
  rejects: () => undefined,
  acknowledge: (_, response) => response.writeHead(200).end(),
  keyOf: (event) => JSON.stringify([idOf(event), nameOf(event), event['amount_received'], event['type']]),
  modeOf: (event) => (event['livemode'] === false ? 'test' : 'live'),
  remembers: Number.POSITIVE_INFINITY,
  remembersMs: Number.POSITIVE_INFINITY,
  gapMs: 0,
  workerOf: () => '',
  keeps: () => true,
  schedule: (work) => work(),
  againAfterMs: Number.POSITIVE_INFINITY,
  effectOf(event, before) {
    const reversed = before.some(({ effect }) => effect === 'reversed')
    if (nameOf(event) === 'payment.refunded') return reversed ? undefined : effect(event, 'reversed')
    return nameOf(event) === 'payment.completed' && !reversed ? effect(event, 'fulfilled') : undefined
  },
}
