import type { Delivery } from '../contracts/payment-service/delivery.ts'
import type { Kit } from '../contracts/payment-service/kit.ts'
import { forged, hmac } from '../contracts/payment-service/mutate.ts'
import { reserialized } from './causes/body.ts'
import { OTHER_SECRETS } from './causes/signature.ts'
import { plainBodies } from './plain-bodies.ts'
import { SERIALIZERS } from './serializers.ts'
import type { Statement } from './statement.ts'

/** A delivery that only a receiver with one mistake accepts, beside refusing every valid one. */
export interface Alternative {
  readonly statement: Statement
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

const rawBody =
  'Read the raw body before anything else consumes or parses it, and compute the HMAC over t, a dot and those bytes.'
const ALREADY_READ: Statement = {
  code: 'body_already_read',
  sentence: 'The signature is computed over an empty or parsed body: a body parser has already read it.',
  fix: `${rawBody} Mount the handler before any body parser, such as express.json(). In Go, read r.Body once; in PHP, read php://input instead of $_POST.`,
}

/** A list is JSON, but binds to no class of events. */
function boundFirst(kit: Kit): Alternative {
  const statement: Statement = {
    code: 'body_parsed_first',
    sentence:
      'The body is bound to a class of events before its signature is checked, and no valid one matches: most likely the signature is computed over JSON that was serialized again.',
    fix: `${rawBody} In FastAPI, use await request.body() instead of a parameter with a model; in Spring, byte[] or InputStream instead of a class. If it already verifies the raw body, compare the signing secrets.`,
  }
  const delivery = { ...kit.body('[]'), change: statement.sentence }
  return { statement, delivery, contrast: forged(kit.delivery('completed'), kit), isUnreadable: true }
}

/** Deliveries that each give one mistake away. */
export function alternatives(kit: Kit): Alternative[] {
  const { secret } = kit
  const made = () =>
    kit.delivery('completed', { metadata: { note: 'Zo\u00eb & <b>', page: 'https://shop.example/order' } })
  const from = (statement: Statement, sign: (delivery: Delivery) => Partial<Delivery>): Alternative => {
    const delivery = made()
    return { statement, delivery: { ...delivery, ...sign(delivery), change: statement.sentence } }
  }
  const v1 = (statement: Statement, make: (t: string, body: Buffer) => string) =>
    from(statement, ({ signed: { t }, body }) => ({ signature: [`t=${t},v1=${make(t, body)}`] }))
  const over = (statement: Statement, text: (t: string, body: Buffer) => string | Buffer) =>
    v1(statement, (t, body) => hmac('sha256', secret, text(t, body)))

  return [
    ...Object.entries(SERIALIZERS).map(([name, serialize]) =>
      over(reserialized(name), (t, body) => `${t}.${serialize(JSON.parse(body.toString()))}`),
    ),
    ...plainBodies(kit),
    ...['', 'undefined', '[object Object]', '{}', '[]', 'null', 'None'].flatMap((body): Alternative[] => {
      const alternative = over(ALREADY_READ, (t) => `${t}.${body}`)
      const contrast = over(ALREADY_READ, (t) => `${t}.${body} of nobody`).delivery
      return [alternative, { ...alternative, contrast, isUnreadable: true }]
    }),
    over(
      {
        code: 'body_decoded_as_text',
        sentence:
          "The signature is computed over the text form of a bytes object (b'...'), not over the bytes.",
        fix: `${rawBody} In Python, concatenate bytes: t.encode() + b"." + body.`,
      },
      (t, body) =>
        `${t}.b'${body.toString('latin1').replace(/[^ -~]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`)}'`,
    ),
    ...OTHER_SECRETS.map(([how, key]) => ({ how, key: key(secret) }))
      .filter(({ key }) => key.length > 0 && key !== secret)
      .map(({ how, key }) =>
        v1(
          {
            code: 'secret_changed',
            sentence: `The receiver uses the signing secret ${how}.`,
            fix: 'Use the entire signing secret, including its prefix, as UTF-8 bytes: do not cut, trim or decode it.',
          },
          (t, body) => hmac('sha256', key, `${t}.`, body),
        ),
      ),
    v1(
      {
        code: 'key_guessable',
        sentence: 'The receiver verifies with an empty key: it has no signing secret.',
        fix: 'Set its signing secret, and make it refuse to start without one.',
      },
      (t, body) => hmac('sha256', '', `${t}.`, body),
    ),
    ...(
      [
        ['the body alone', (_, body) => body],
        ['t and the body without the dot', (t, body) => Buffer.concat([Buffer.from(t), body])],
        ['the body, a dot and t', (t, body) => Buffer.concat([body, Buffer.from(`.${t}`)])],
        ['the body in base64', (t, body) => `${t}.${body.toString('base64')}`],
        [
          "the printed form of the body's bytes, which Python writes as b'…'",
          (t, body) => `${t}.b'${body.toString()}'`,
        ],
      ] satisfies [string, (t: string, body: Buffer) => string | Buffer][]
    ).map(([what, text]) =>
      over(
        {
          code: 'signed_text_differs',
          sentence: `The signature is computed over ${what}.`,
          fix: 'Compute the HMAC over t, one dot and the raw body, in that order.',
        },
        text,
      ),
    ),
    ...['sha1', 'sha512'].map((hash) =>
      v1(
        {
          code: 'signed_text_differs',
          sentence: `The signature is computed with ${hash.toUpperCase()} instead of SHA-256.`,
          fix: 'Use HMAC-SHA256.',
        },
        (t, body) => hmac(hash, secret, `${t}.`, body),
      ),
    ),
    v1(
      {
        code: 'signature_encoding',
        sentence: 'The signature is expected in base64 instead of hexadecimal.',
        fix: 'Compare with the lowercase hexadecimal form of the HMAC, or decode v1 from hexadecimal.',
      },
      (t, body) => Buffer.from(hmac('sha256', secret, `${t}.`, body), 'hex').toString('base64'),
    ),
    ...OTHER_NAMES.map((name) =>
      from(
        {
          code: 'wrong_header_name',
          sentence: `The receiver reads the signature from the header ${name}.`,
          fix: 'Read it from X-Service-Signature, or pass the other name with --signature-header if a proxy in front of the receiver renames it.',
        },
        ({ headers, signature: [value = ''] }) => ({ signature: [], headers: [...headers, [name, value]] }),
      ),
    ),
    from(
      {
        code: 'milliseconds',
        sentence: 'The receiver expects t in milliseconds.',
        fix: 'Compare seconds with seconds: in JavaScript, Math.floor(Date.now() / 1000) - t.',
      },
      (delivery) => kit.redelivery(delivery, { t: kit.now() * 1000 }),
    ),
    ...SHIFTS_SECONDS.map((shift) => ({
      ...from(clockOff(shift), (delivery) => kit.redelivery(delivery, { t: kit.now() + shift })),
      shiftSeconds: shift,
    })),
    boundFirst(kit),
  ]
}

/** The receiver's clock differs by about this much. */
export function clockOff(seconds: number): Statement {
  const [amount, unit] =
    Math.abs(seconds) < 7200 ? [Math.abs(seconds), 's'] : [Math.abs(seconds) / 3600, 'hours']
  return {
    code: 'clock_off',
    sentence: `The receiver's clock is about ${amount} ${unit} ${seconds > 0 ? 'ahead' : 'behind'}: it accepts only a t of that time.`,
    fix: 'Synchronize its clock, and compare t with Unix time: a local time without its time zone is off by hours.',
  }
}
