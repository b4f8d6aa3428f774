import { createHmac } from 'node:crypto'
import { createGenerator, SCENARIOS, serialize, vectors } from '../../../fixtures/index.ts'
import { between, choose, type Random } from '../shared/random.ts'
import { randomBodies, randomHeaders } from '../shared/random-inputs.ts'
import { BODY_PIECES, HEADER_PIECES, mutate } from './mutate.ts'
import type { Input } from './oracle.ts'

export interface InputsOptions {
  readonly seed: string
  readonly random: Random
  readonly secret: string
  /** The receiver's clock, in Unix seconds. */
  readonly now: number
}

/** How an input is generated. */
type Kind =
  | 'vector'
  | 'valid'
  | 'mutated header'
  | 'mutated body'
  | 'signed mutation'
  | 'random header'
  | 'random body'

export interface GeneratedInput extends Input {
  readonly kind: Kind
}

/** An input of each kind is as likely as the kind is frequent here. */
const WEIGHTED_KINDS: readonly Kind[] = [
  'vector',
  'valid',
  ...Array<Kind>(3).fill('mutated header'),
  ...Array<Kind>(2).fill('mutated body'),
  ...Array<Kind>(2).fill('signed mutation'),
  'random header',
  'random body',
]

/** Generates an endless sequence of deliveries: frozen vectors, valid ones, mutated ones, and random ones by fast-check. */
export function createInputs({ seed, random, secret, now }: InputsOptions): () => GeneratedInput {
  const generator = createGenerator(seed)
  const usable = vectors().filter((vector) => vector.secret === secret)
  const bodies = usable.map(({ body_base64: body }) => Buffer.from(body, 'base64'))
  const nextHeaders = randomHeaders(random)
  const nextBody = randomBodies(random)
  const signature = (t: string, body: Buffer): string =>
    createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  const sign = (body: Buffer, t = String(now)): Buffer => Buffer.from(`t=${t},v1=${signature(t, body)}`)
  const anyBody = (): Buffer =>
    random() < 0.5 && bodies.length > 0
      ? choose(random, bodies)
      : serialize(generator.event(choose(random, SCENARIOS)))

  const generators: Readonly<Record<Kind, () => Input>> = {
    vector() {
      const { header, body_base64: body } = choose(random, usable)
      const headers = header === null ? [] : [header].flat()
      // Text beyond Latin-1 can only be sent as UTF-8.
      return { headers: headers.map((value) => Buffer.from(value)), body: Buffer.from(body, 'base64') }
    },
    valid() {
      const body = anyBody()
      return { headers: [sign(body, String(now + between(random, -310, 310)))], body }
    },
    'mutated header'() {
      const body = anyBody()
      const mutated = mutate(sign(body), random, HEADER_PIECES)
      return { headers: random() < 0.05 ? [mutated, sign(body)] : [mutated], body }
    },
    'mutated body'() {
      const body = anyBody()
      return { headers: [sign(body)], body: mutate(body, random, BODY_PIECES) }
    },
    'signed mutation'() {
      const body = mutate(anyBody(), random, BODY_PIECES)
      return { headers: [sign(body)], body }
    },
    'random header'() {
      const body = anyBody()
      const [valid, other] = [signature(String(now), body), signature(String(now - 1), body)]
      const filled = nextHeaders().map((value) =>
        value
          .replaceAll('NOW', String(now))
          .replaceAll('STALE', String(now - 301))
          .replaceAll('VALID', valid)
          .replaceAll('OTHER', other),
      )
      return { headers: filled.map((value) => Buffer.from(value)), body }
    },
    'random body'() {
      const body = Buffer.from(nextBody())
      return { headers: [sign(body)], body }
    },
  }
  return () => {
    const kind = choose(random, WEIGHTED_KINDS)
    return { kind, ...generators[kind]() }
  }
}
