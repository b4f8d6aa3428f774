import { createHmac } from 'node:crypto'
import { SERVICES } from '../../contracts/services.ts'
import type { WebhookContract } from '../../contracts/webhook/contract.ts'
import type { Delivery } from '../../contracts/webhook/delivery.ts'
import type { Kit, KitOptions } from '../../contracts/webhook/kit.ts'
import { forged } from '../../contracts/webhook/mutate.ts'
import { headerWith } from '../../contracts/webhook/scheme.ts'
import { type Answer, isAcknowledged } from '../../engine/exchange.ts'
import type { Traffic } from '../../engine/pace/traffic.ts'
import type { Sender } from '../../engine/wire/sender.ts'
import { type Bytes, utf8 } from '../mistakes/form.ts'
import { keyBytes, secretFormsOf } from '../mistakes/secrets.ts'
import { SERIALIZERS } from '../mistakes/serializers.ts'
import { OTHER_FUNCTIONS, signedBy, signedTextsOf } from '../mistakes/signed-texts.ts'
import type { Said } from '../statement.ts'
import { type FoundAfterwards, MOST, NOTHING_FOUND, type Symptoms, symptomsOf } from '../symptoms.ts'
import { asBytes, isTimed, type Terms } from '../verifier.ts'

/** How many deliveries or observations are in flight at once. */
const AT_ONCE = 8
/** How often a difference must repeat. */
const TIMES = 2
/** What a receiver answers that has no time to verify. */
const OVERLOADED = [429, 503]

/** A delivery that only a receiver with one mistake accepts, beside refusing every valid one. */
export interface Alternative {
  readonly said: Said
  readonly delivery: Delivery
  /** A delivery that such a receiver refuses: if it is accepted, the other one proves nothing. */
  readonly contrast?: Delivery
  /**
   * Set when such a receiver cannot read the event, and so refuses this delivery too. It does so with another status than it
   * refuses the contrast, whose signature is wrong for every receiver, or, where both have such an event, with another body.
   */
  readonly refusedBy?: 'status' | 'response'
  /** For a shifted `t`: by how much, in seconds. */
  readonly shiftSeconds?: number
}

/** The names under which services send their signature. */
const HEADER_NAMES = [
  ...new Set([
    ...Object.values(SERVICES).map(({ signatureHeader }) => signatureHeader),
    'X-Signature',
    'X-Webhook-Signature',
    'X-Payment-Signature',
    'Service-Signature',
    'Signature',
  ]),
]

const HALF_HOUR_ZONES = [3.5, 4.5, 5.5, 9.5, 10.5]
const HOURS = [...Array.from({ length: 13 }, (_, n) => n + 2), ...HALF_HOUR_ZONES]
const SHIFTS_SECONDS = [
  // The window is 600 s wide, so these steps leave no gap within an hour.
  ...Array.from({ length: 8 }, (_, n) => (n + 1) * 500),
  ...HOURS.map((hours) => hours * 3600),
].flatMap((seconds) => [seconds, -seconds])

const ALREADY_READ: Said = { code: 'body_already_read' }

/** A list is JSON, but binds to no class of events. */
function boundFirst(kit: Kit): Alternative {
  const said: Said = { code: 'body_parsed_first', data: { isBound: true } }
  const delivery = { ...kit.body('[]'), change: said.code }
  return { said, delivery, contrast: forged(kit.valid(), kit), refusedBy: 'status' }
}

/**
 * Valid deliveries of which most serializers write the same bytes again: their keys are sorted, and nothing in them is
 * ever escaped. A receiver that accepts such a body, and refuses the same event with other spaces, re-serializes it.
 */
function plainBodies(kit: Kit): Alternative[] {
  const { compact, spaced } = FORMS
  return [
    [compact, spaced],
    [spaced, compact],
  ].flatMap(([form, other]) => {
    if (form === undefined || other === undefined) return []
    const { body, ...about } = kit.noted('A1')
    const event: unknown = JSON.parse(body.toString())
    const written = (serialize: (value: unknown) => string) => ({
      ...kit.body(serialize(event), about),
      change: 'a body that serializers write in the same way',
    })
    return [{ said: { code: 'body_reserialized' }, delivery: written(form), contrast: written(other) }]
  })
}

const FORMS = {
  compact: SERIALIZERS['a serializer that sorts keys'],
  spaced: SERIALIZERS['json.dumps of Python with sort_keys'],
}

/** Deliveries that each give one mistake away. */
export function alternatives(kit: Kit, { scheme }: Terms): Alternative[] {
  const { secret } = kit
  const { signed, digest, header } = scheme
  const own = keyBytes(scheme.key, secret)
  /** The signature of a text. */
  const mac = (text: Bytes, { key = own, hash = 'sha256', as = digest } = {}) =>
    createHmac(hash, key).update(text).digest(as)
  const from = (said: Said, sign: (delivery: Delivery) => Partial<Delivery>): Alternative => {
    const delivery = kit.noted('Zo\u00eb & <b> https://shop.example/order')
    return { said, delivery: { ...delivery, olderSignature: [], ...sign(delivery), change: said.code } }
  }
  type Text = (t: string, body: Buffer, id: string) => string
  const signing = (said: Said, make: Text) =>
    from(said, ({ signed: { t, id }, body }) => ({ signature: [headerWith(scheme, t, make(t, body, id))] }))
  const usual = (t: string, body: Bytes, id: string) => signedBy(signed, t, body, id)
  const overBody = (said: Said, write: (body: Buffer) => string) =>
    signing(said, (t, body, id) => mac(usual(t, asBytes(write(body)), id)))
  const withKey = (said: Said, key: Bytes) => signing(said, (...all) => mac(usual(...all), { key }))

  return [
    ...Object.entries(SERIALIZERS).map(([name, serialize]) =>
      overBody({ code: 'body_reserialized', data: { by: name } }, (body) =>
        serialize(JSON.parse(body.toString())),
      ),
    ),
    ...plainBodies(kit),
    ...['', 'undefined', '[object Object]', '{}', '[]', 'null', 'None'].flatMap((body): Alternative[] => {
      const alternative = overBody(ALREADY_READ, () => body)
      const contrast = overBody(ALREADY_READ, () => `${body} of nobody`).delivery
      return [alternative, { ...alternative, contrast, refusedBy: 'response' }]
    }),
    overBody(
      { code: 'body_decoded_as_text', data: { as: 'printed-bytes' } },
      (body) =>
        `b'${body.toString('latin1').replace(/[^ -~]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)}'`,
    ),
    ...secretFormsOf(scheme.key).flatMap((one) => {
      const key = 'isUsed' in one ? one.make(secret) : undefined
      if (!('isUsed' in one) || key === undefined) return []
      return withKey({ code: 'secret_changed', data: { form: one.code, isOnly: true } }, key)
    }),
    withKey({ code: 'key_guessable', data: { key: '', isOnly: true } }, utf8('')),
    ...signedTextsOf(signed).flatMap(({ code, about, text }) => {
      if (about !== undefined) return []
      const said: Said = { code: 'signed_text_differs', data: { text: code, isOnly: true } }
      return signing(said, (t, body, id) => mac(text(t, body, id) ?? usual(t, body, id)))
    }),
    ...OTHER_FUNCTIONS.filter(({ web }) => web !== undefined).map(({ hash }) =>
      signing({ code: 'signed_text_differs', data: { hash } }, (...all) => mac(usual(...all), { hash })),
    ),
    signing({ code: 'signature_encoding' }, (...all) =>
      mac(usual(...all), { as: digest === 'hex' ? 'base64' : 'hex' }),
    ),
    ...HEADER_NAMES.filter((name) => name.toLowerCase() !== header.name.toLowerCase()).map((name) =>
      from({ code: 'wrong_header_name', data: { name } }, ({ headers, signature: [value = ''] }) => ({
        signature: [],
        headers: [...headers, [name, value]],
      })),
    ),
    ...(isTimed(scheme) ? atOtherTimes(kit, from) : []),
    boundFirst(kit),
  ]
}

/** Valid deliveries of the other services that can use the secret: one of those may be whose receiver this is. */
function ofOtherServices({ id: own }: Pick<WebhookContract, 'id'>, options: KitOptions): Alternative[] {
  return Object.values(SERVICES)
    .filter(({ id, secretFault }) => id !== own && secretFault?.(options.secret) === undefined)
    .map(({ id, title, signatureHeader: name, createKit }) => {
      const said: Said = { code: 'wrong_header_name', data: { name, service: { id, title } } }
      // Not every service has events of live mode.
      const kit = createKit('investigation', { ...options, mode: 'test' })
      // The target writes signatures and stamps to the headers of the tested service.
      const inHeaders = ({ headers, stamps, signature: [value = ''], ...delivery }: Delivery): Delivery => ({
        ...delivery,
        headers: [...headers, ...stamps, [name, value]],
        stamps: [],
        signature: [],
        olderSignature: [],
        change: said.code,
      })
      return { said, delivery: inHeaders(kit.valid()), contrast: inHeaders(forged(kit.valid(), kit)) }
    })
}

/** Deliveries signed at the time that another clock, or another unit, makes of the present. */
function atOtherTimes(
  kit: Kit,
  from: (said: Said, sign: (delivery: Delivery) => Partial<Delivery>) => Alternative,
): Alternative[] {
  return [
    from({ code: 'milliseconds', data: { isExpected: true } }, (delivery) =>
      kit.redelivery(delivery, { t: kit.now() * 1000 }),
    ),
    ...SHIFTS_SECONDS.map((shift) => ({
      ...from(clockOff(shift), (delivery) => kit.redelivery(delivery, { t: kit.now() + shift })),
      shiftSeconds: shift,
    })),
  ]
}

/** The receiver's clock differs by about this much. */
const clockOff = (seconds: number): Said => ({ code: 'clock_off', data: { seconds } })

/**
 * Finds out what a receiver does that refused nearly every valid delivery, by deliveries that each give one mistake away.
 */
export async function givenAway(
  run: Pick<Symptoms, 'service' | 'verdicts'>,
  traffic: Pick<Traffic, 'aside'>,
  options: KitOptions,
): Promise<Pick<FoundAfterwards, 'given' | 'acceptsAgain' | 'parsesFirst' | 'readsHeader'>> {
  const nothing = { given: [], acceptsAgain: false, parsesFirst: false }
  const { valid, open } = symptomsOf(run, NOTHING_FOUND)
  const refused = valid.filter(({ status }) => status !== undefined && status >= 400 && status !== 429)
  if (open.length === 0 || refused.length === 0 || refused.length < valid.length * MOST) return nothing
  const kit = run.service.createKit('investigation', options)
  const sender: Sender = traffic.aside()
  try {
    const answerTo = async (delivery: Delivery) => (await sender.send(delivery)).answer
    const isAccepted = async ({ delivery }: Pick<Alternative, 'delivery'>) => {
      const { status = 0 } = (await answerTo(delivery)) ?? {}
      return status >= 200 && status < 300
    }
    const first = await sender.send(kit.valid())
    if (await acceptsOnePerConnection(sender, kit))
      return { ...nothing, given: [{ code: 'connection_not_reset' }], acceptsAgain: true }
    if (isAcknowledged(first) && (await acceptsAll(sender, kit))) {
      return { ...nothing, acceptsAgain: true }
    }
    const all = [...ofOtherServices(run.service, options), ...alternatives(kit, run.service)]
    const tried = all.filter(({ refusedBy }) => refusedBy === undefined)
    const accepted = await inChunks(tried, isAccepted)
    const given: Alternative[] = []
    for (const one of tried.filter((_, index) => accepted[index])) {
      if (one.contrast === undefined || !(await isAccepted({ delivery: one.contrast }))) given.push(one)
    }
    for (const one of given.length === 0 ? all.filter(({ refusedBy }) => refusedBy !== undefined) : []) {
      if (await isVerified(one, first.answer, answerTo)) given.push(one)
    }
    // It must still refuse a valid delivery, or the others prove nothing.
    if (await isAccepted({ delivery: kit.valid() })) return nothing
    if (given.length === 0) {
      const unsigned = await answerTo({ ...kit.valid(), signature: [], change: 'no signature header' })
      const wrong = await answerTo(forged(kit.valid(), kit))
      const readsHeader = unsigned?.status === 400 && wrong?.status === 401
      return { ...nothing, parsesFirst: await isParsedFirst(kit, answerTo), readsHeader }
    }
    return { ...nothing, given: statementsOf(given) }
  } finally {
    sender.close()
  }
}

/** Whether valid deliveries of different events are accepted, each by a connection of its own. */
async function acceptsAll(sender: Sender, kit: Kit): Promise<boolean> {
  for (let n = 0; n < AT_ONCE; n += 1) {
    const connection = sender.onOneConnection()
    const exchange = await connection.send(kit.valid())
    connection.close()
    if (!isAcknowledged(exchange)) return false
  }
  return true
}

/** Whether the first delivery on a connection is accepted, and the same one is refused when it follows on that connection. */
async function acceptsOnePerConnection(sender: Sender, kit: Kit): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) {
    // One event: a receiver may accept some events only.
    const delivery = kit.valid()
    for (let connections = 0; connections < TIMES; connections += 1) {
      const one = sender.onOneConnection()
      const first = await one.send(kit.redelivery(delivery))
      const second = await one.send(kit.redelivery(delivery))
      one.close()
      if (!isAcknowledged(first) || second.answer === undefined || second.answer.status < 400) return false
    }
  }
  return true
}

type AnswerTo = (delivery: Delivery) => Promise<Answer | undefined>

/**
 * Whether a receiver refuses a delivery for another reason than its signature: it answers each valid delivery, and each with
 * a wrong signature, in one way, and this one in another.
 */
async function isVerified(
  { delivery, contrast, refusedBy }: Alternative,
  usual: Answer | undefined,
  answerTo: AnswerTo,
): Promise<boolean> {
  if (contrast === undefined || usual === undefined) return false
  return isAnsweredOtherwise(
    () => [contrast, delivery],
    answerTo,
    [usual],
    refusedBy === 'response' ? [statusOf, responseOf] : [statusOf],
  )
}

/** Whether a body that is not JSON is refused otherwise than one that is, although each has a wrong signature. */
function isParsedFirst(kit: Kit, answerTo: AnswerTo): Promise<boolean> {
  const pair = () => {
    const delivery = forged(kit.valid(), kit)
    return [delivery, { ...delivery, body: delivery.body.subarray(0, -1), change: 'not JSON' }] as const
  }
  return isAnsweredOtherwise(pair, answerTo, [], [statusOf, responseOf])
}

const statusOf = ({ status }: Answer) => `${status}`
const responseOf = ({ status, body }: Answer) => `${status} ${body.toString('latin1')}`

/** Whether a measure has one value for all of these answers, and for none of the others. */
function isOneAndNone(
  of: (answer: Answer) => string,
  same: readonly Answer[],
  others: readonly Answer[],
): boolean {
  const [first, ...rest] = same.map(of)
  return rest.every((text) => text === first) && others.every((answer) => of(answer) !== first)
}

/** Whether the first of each pair is always answered in one way, by one of these measures, and the second is refused in another. */
async function isAnsweredOtherwise(
  pair: () => readonly [Delivery, Delivery],
  answerTo: AnswerTo,
  usual: readonly Answer[],
  measures: readonly ((answer: Answer) => string)[],
): Promise<boolean> {
  const same = [...usual]
  const others: Answer[] = []
  for (let n = 0; n < TIMES; n += 1) {
    const [one, other] = pair()
    for (const [delivery, to] of [
      [other, others],
      [one, same],
    ] as const) {
      const answer = await answerTo(delivery)
      if (answer === undefined || answer.status < 400 || OVERLOADED.includes(answer.status)) return false
      to.push(answer)
    }
    if (!measures.some((of) => isOneAndNone(of, same, others))) return false
  }
  return true
}

/** Several shifts of `t` are one statement about the clock. */
function statementsOf(given: readonly Alternative[]): Said[] {
  const shifts = given.flatMap(({ shiftSeconds }) => shiftSeconds ?? [])
  const mean = Math.round(shifts.reduce((sum, shift) => sum + shift, 0) / Math.max(1, shifts.length))
  return [
    ...given.filter(({ shiftSeconds }) => shiftSeconds === undefined).map(({ said }) => said),
    ...(shifts.length === 0 ? [] : [clockOff(mean)]),
  ]
}

/** Runs something for each item, a few at the same time. */
export async function inChunks<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(run))))
  }
  return results
}
