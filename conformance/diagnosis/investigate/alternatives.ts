import { aboutEvent, createKit, type Kit } from '../../contracts/payment-service/kit.ts'
import type { Delivery } from '../../contracts/webhook/delivery.ts'
import type { KitOptions } from '../../contracts/webhook/kit.ts'
import type { Verdict } from '../../contracts/webhook/model.ts'
import { forged, hmac } from '../../contracts/webhook/mutate.ts'
import type { Traffic } from '../../engine/pace/traffic.ts'
import type { Sender } from '../../engine/wire/sender.ts'
import { type Bytes, joined } from '../mistakes/form.ts'
import { SECRETS } from '../mistakes/secrets.ts'
import { SERIALIZERS } from '../mistakes/serializers.ts'
import { OTHER_FUNCTIONS, SIGNED_TEXTS } from '../mistakes/signed-texts.ts'
import type { Said } from '../statement.ts'
import { type FoundAfterwards, MOST, NOTHING_FOUND, symptomsOf } from '../symptoms.ts'

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
   * Set when such a receiver cannot read the event, and so refuses this delivery too. It does so in another way than it refuses
   * the contrast, whose signature is wrong for every receiver.
   */
  readonly isUnreadable?: true
  /** For a shifted `t`: by how much, in seconds. */
  readonly shiftSeconds?: number
}

/** The names under which other services send their signature. */
const OTHER_NAMES = [
  'X-Signature',
  'X-Webhook-Signature',
  'X-Payment-Signature',
  'X-Hub-Signature-256',
  'Stripe-Signature',
  'Webhook-Signature',
  'Service-Signature',
  'Signature',
] as const

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
  return { said, delivery, contrast: forged(kit.delivery('completed'), kit), isUnreadable: true }
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
    const event = kit.event('completed', { metadata: { order: 'A1' } })
    const written = (serialize: (value: unknown) => string) => ({
      ...kit.body(serialize(event), aboutEvent(event)),
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
export function alternatives(kit: Kit): Alternative[] {
  const { secret } = kit
  const made = () =>
    kit.delivery('completed', { metadata: { note: 'Zo\u00eb & <b>', page: 'https://shop.example/order' } })
  const from = (said: Said, sign: (delivery: Delivery) => Partial<Delivery>): Alternative => {
    const delivery = made()
    return { said, delivery: { ...delivery, ...sign(delivery), change: said.code } }
  }
  const v1 = (said: Said, make: (t: string, body: Buffer) => string) =>
    from(said, ({ signed: { t }, body }) => ({ signature: [`t=${t},v1=${make(t, body)}`] }))
  const over = (said: Said, text: (t: string, body: Buffer) => string | Bytes) =>
    v1(said, (t, body) => hmac('sha256', secret, text(t, body)))

  return [
    ...Object.entries(SERIALIZERS).map(([name, serialize]) =>
      over(
        { code: 'body_reserialized', data: { by: name } },
        (t, body) => `${t}.${serialize(JSON.parse(body.toString()))}`,
      ),
    ),
    ...plainBodies(kit),
    ...['', 'undefined', '[object Object]', '{}', '[]', 'null', 'None'].flatMap((body): Alternative[] => {
      const alternative = over(ALREADY_READ, (t) => `${t}.${body}`)
      const contrast = over(ALREADY_READ, (t) => `${t}.${body} of nobody`).delivery
      return [alternative, { ...alternative, contrast, isUnreadable: true }]
    }),
    over(
      { code: 'body_decoded_as_text', data: { as: 'printed-bytes' } },
      (t, body) =>
        `${t}.b'${body.toString('latin1').replace(/[^ -~]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)}'`,
    ),
    ...SECRETS.flatMap((one) => {
      const key = 'isUsed' in one ? one.make(secret) : undefined
      if (!('isUsed' in one) || key === undefined) return []
      const said: Said = { code: 'secret_changed', data: { form: one.code, isOnly: true } }
      return v1(said, (t, body) => hmac('sha256', key, `${t}.`, body))
    }),
    v1({ code: 'key_guessable', data: { key: '', isOnly: true } }, (t, body) =>
      hmac('sha256', '', `${t}.`, body),
    ),
    ...SIGNED_TEXTS.flatMap(({ code, about, text }) => {
      if (about !== undefined) return []
      const said: Said = { code: 'signed_text_differs', data: { text: code, isOnly: true } }
      return over(said, (t, body) => text(t, body) ?? joined(t, '.', body))
    }),
    ...OTHER_FUNCTIONS.filter(({ web }) => web !== undefined).map(({ hash }) =>
      v1({ code: 'signed_text_differs', data: { hash } }, (t, body) => hmac(hash, secret, `${t}.`, body)),
    ),
    v1({ code: 'signature_encoding' }, (t, body) =>
      Buffer.from(hmac('sha256', secret, `${t}.`, body), 'hex').toString('base64'),
    ),
    ...OTHER_NAMES.map((name) =>
      from({ code: 'wrong_header_name', data: { name } }, ({ headers, signature: [value = ''] }) => ({
        signature: [],
        headers: [...headers, [name, value]],
      })),
    ),
    from({ code: 'milliseconds', data: { isExpected: true } }, (delivery) =>
      kit.redelivery(delivery, { t: kit.now() * 1000 }),
    ),
    ...SHIFTS_SECONDS.map((shift) => ({
      ...from(clockOff(shift), (delivery) => kit.redelivery(delivery, { t: kit.now() + shift })),
      shiftSeconds: shift,
    })),
    boundFirst(kit),
  ]
}

/** The receiver's clock differs by about this much. */
const clockOff = (seconds: number): Said => ({ code: 'clock_off', data: { seconds } })

/**
 * Finds out what a receiver does that refused nearly every valid delivery, by deliveries that each give one mistake away.
 */
export async function givenAway(
  verdicts: readonly Verdict[],
  traffic: Pick<Traffic, 'aside'>,
  options: KitOptions,
): Promise<Pick<FoundAfterwards, 'given' | 'acceptsAgain'>> {
  const nothing = { given: [], acceptsAgain: false }
  const { valid, open } = symptomsOf(verdicts, NOTHING_FOUND)
  const refused = valid.filter(({ status }) => status !== undefined && status >= 400 && status !== 429)
  if (open.length === 0 || refused.length === 0 || refused.length < valid.length * MOST) return nothing
  const kit = createKit('investigation', options)
  const sender: Sender = traffic.aside()
  try {
    const statusOf = async (delivery: Delivery) => (await sender.send(delivery)).answer?.status ?? 0
    const isAccepted = async ({ delivery }: Pick<Alternative, 'delivery'>) => {
      const status = await statusOf(delivery)
      return status >= 200 && status < 300
    }
    const first = await sender.send(kit.delivery('completed'))
    if (await acceptsOnePerConnection(sender, kit))
      return { given: [{ code: 'connection_not_reset' }], acceptsAgain: true }
    if (first.answer?.status === 200 && (await acceptsAll(sender, kit))) {
      return { given: [], acceptsAgain: true }
    }
    const all = alternatives(kit)
    const tried = all.filter(({ isUnreadable }) => isUnreadable !== true)
    const accepted = await inChunks(tried, isAccepted)
    const given: Alternative[] = []
    for (const one of tried.filter((_, index) => accepted[index])) {
      if (one.contrast === undefined || !(await isAccepted({ delivery: one.contrast }))) given.push(one)
    }
    for (const one of given.length === 0 ? all.filter(({ isUnreadable }) => isUnreadable === true) : []) {
      if (await isVerified(one, first.answer?.status, statusOf)) given.push(one)
    }
    // It must still refuse a valid delivery, or the others prove nothing.
    if (given.length === 0 || (await isAccepted({ delivery: kit.delivery('completed') }))) return nothing
    return { given: statementsOf(given), acceptsAgain: false }
  } finally {
    sender.close()
  }
}

/** Whether valid deliveries of different events are accepted, each by a connection of its own. */
async function acceptsAll(sender: Sender, kit: Kit): Promise<boolean> {
  for (let n = 0; n < AT_ONCE; n += 1) {
    const connection = sender.onOneConnection()
    const { answer } = await connection.send(kit.delivery('completed'))
    connection.close()
    if (answer?.status !== 200) return false
  }
  return true
}

/** Whether the first delivery on a connection is accepted, and the same one is refused when it follows on that connection. */
async function acceptsOnePerConnection(sender: Sender, kit: Kit): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) {
    // One event: a receiver may accept some events only.
    const delivery = kit.delivery('completed')
    for (let connections = 0; connections < TIMES; connections += 1) {
      const one = sender.onOneConnection()
      const first = await one.send(kit.redelivery(delivery))
      const second = await one.send(kit.redelivery(delivery))
      one.close()
      if (first.answer?.status !== 200 || second.answer === undefined || second.answer.status < 400)
        return false
    }
  }
  return true
}

/**
 * Whether a receiver refuses a delivery for another reason than its signature: it answers each valid delivery, and each with
 * a wrong signature, with one status, and this one with another.
 */
async function isVerified(
  { delivery, contrast }: Alternative,
  usual: number | undefined,
  statusOf: (delivery: Delivery) => Promise<number>,
): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) {
    const status = await statusOf(delivery)
    if (contrast === undefined || (await statusOf(contrast)) !== usual) return false
    if (status === usual || status < 400 || OVERLOADED.includes(status)) return false
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
