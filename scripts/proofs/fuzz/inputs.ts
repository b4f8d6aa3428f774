import { createHmac } from 'node:crypto'
import { createGenerator, SCENARIOS, serialise, vectors } from '../../../fixtures/index.ts'
import { drawBodies, drawHeaders } from '../shared/drawn.ts'
import { between, choose, type Random } from '../shared/random.ts'
import { BODY_PIECES, HEADER_PIECES, mutate } from './mutate.ts'
import type { Input } from './oracle.ts'

export interface InputsOptions {
  readonly seed: string
  readonly random: Random
  readonly secret: string
  /** The receiver's clock, in Unix seconds. */
  readonly now: number
}

/** How an input was made. */
type Kind =
  | 'vector'
  | 'genuine'
  | 'mutated header'
  | 'mutated body'
  | 'signed mutation'
  | 'drawn header'
  | 'drawn body'

export interface Made extends Input {
  readonly kind: Kind
}

const SHARES: readonly Kind[] = [
  'vector',
  'genuine',
  ...Array<Kind>(3).fill('mutated header'),
  ...Array<Kind>(2).fill('mutated body'),
  ...Array<Kind>(2).fill('signed mutation'),
  'drawn header',
  'drawn body',
]

/** An endless source of deliveries: frozen vectors, genuine ones, changed ones, and some that fast-check makes up. */
export function inputsFrom({ seed, random, secret, now }: InputsOptions): () => Made {
  const generator = createGenerator(seed)
  const usable = vectors().filter((vector) => vector.secret === secret)
  const bodies = usable.map(({ body_base64: body }) => Buffer.from(body, 'base64'))
  const drawHeader = drawHeaders(random)
  const drawBody = drawBodies(random)
  const signature = (t: string, body: Buffer): string =>
    createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  const sign = (body: Buffer, t = String(now)): Buffer => Buffer.from(`t=${t},v1=${signature(t, body)}`)
  const anyBody = (): Buffer =>
    random() < 0.5 && bodies.length > 0
      ? choose(random, bodies)
      : serialise(generator.event(choose(random, SCENARIOS)))

  const makers: Readonly<Record<Kind, () => Input>> = {
    vector() {
      const { header, body_base64: body } = choose(random, usable)
      const headers = header === null ? [] : [header].flat()
      // Text beyond Latin-1 goes out as UTF-8, the only way that it can.
      return { headers: headers.map((value) => Buffer.from(value)), body: Buffer.from(body, 'base64') }
    },
    genuine() {
      const body = anyBody()
      return { headers: [sign(body, String(now + between(random, -310, 310)))], body }
    },
    'mutated header'() {
      const body = anyBody()
      const changed = mutate(sign(body), random, HEADER_PIECES)
      return { headers: random() < 0.05 ? [changed, sign(body)] : [changed], body }
    },
    'mutated body'() {
      const body = anyBody()
      return { headers: [sign(body)], body: mutate(body, random, BODY_PIECES) }
    },
    'signed mutation'() {
      const body = mutate(anyBody(), random, BODY_PIECES)
      return { headers: [sign(body)], body }
    },
    'drawn header'() {
      const body = anyBody()
      const [right, other] = [signature(String(now), body), signature(String(now - 1), body)]
      const filled = drawHeader().map((value) =>
        value
          .replaceAll('NOW', String(now))
          .replaceAll('STALE', String(now - 301))
          .replaceAll('RIGHT', right)
          .replaceAll('OTHER', other),
      )
      return { headers: filled.map((value) => Buffer.from(value)), body }
    },
    'drawn body'() {
      const body = Buffer.from(drawBody())
      return { headers: [sign(body)], body }
    },
  }
  return () => {
    const kind = choose(random, SHARES)
    return { kind, ...makers[kind]() }
  }
}
