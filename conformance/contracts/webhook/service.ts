import { createHash } from 'node:crypto'
import { HarnessError } from '../../harness-error.ts'
import type { WebhookContract } from './contract.ts'
import type { About, Delivery, HeaderLine } from './delivery.ts'
import { COMMON } from './families/common.ts'
import type { FamilyTerms, SharedKit } from './families/family.ts'
import { createJudge } from './judge.ts'
import { type KitOptions, kitWith } from './kit.ts'
import type { CatalogueCase, ContractVersion } from './model.ts'
import { handlings } from './observation.ts'
import { type ServiceRequirement, sourceText } from './requirement.ts'
import { type DedupeKey, type Scheme, secretFault } from './scheme.ts'
import { selectFrom } from './select.ts'

/** Makes new ids; the same seed and case give the same. */
type NewId = (prefix: string, length: number) => string

/** What a service is, as data and two functions that write its events. */
export interface ServiceDefinition {
  readonly id: string
  readonly title: string
  readonly version: ContractVersion
  readonly scheme: Scheme
  /** The usual tolerance of the signed time, in seconds. */
  readonly windowSeconds: number
  /** The first and the last status by which a receiver acknowledges. */
  readonly acknowledgedBy: NonNullable<Delivery['acknowledgedBy']>
  readonly dedupe: DedupeKey
  /** A new id of a delivery, where the scheme signs one. */
  readonly deliveryId?: (newId: NewId) => string
  /** Sample events by name; the first is the one that most cases send. `note` is a text that a user of the service writes. */
  readonly samples: Readonly<Record<string, Sample>>
  /** What a sample is about: its event, and the key by which a receiver recognizes its redelivery, where no signed id is that. */
  readonly about: (event: object, sample: string, newId: NewId) => About
  /** What the service calls itself in the header User-Agent, which anyone can write. */
  readonly userAgent: string
  /** The header lines beside those of the signature. `at` is when the event happened, in Unix seconds. */
  readonly headers?: (about: About, at: number) => readonly HeaderLine[]
  /** How long the service waits for a response, in milliseconds. */
  readonly ackWithinMs: number
  readonly library?: NonNullable<WebhookContract['library']>
  /** Those that the service has beside the ones that all have. */
  readonly requirements: readonly ServiceRequirement[]
}

/** Writes an event. */
export type Sample = (made: Made) => object

/** What a sample is made from. */
interface Made {
  readonly newId: NewId
  /** Unix seconds. */
  readonly now: number
  readonly note: string
}

/** A UUID that a text always gives. */
export function uuidOf(text: string): string {
  const digits = createHash('sha1').update(text).digest('hex')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

const NOTE = 'Order 10001'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Makes the contract of a service from its definition. */
export function serviceContract(service: ServiceDefinition): WebhookContract {
  const { scheme, windowSeconds, version, samples, requirements } = service
  const names = Object.keys(samples)
  const terms: FamilyTerms = { scheme, windowSeconds, samples: names, dedupe: service.dedupe }
  const cases = [...requirements, ...COMMON].flatMap(({ level, sentence, source, family }, index) => {
    const { section, impact, fix } = family
    const contract = { name: `${service.title} ${version}`, source: sourceText(source) }
    return Object.entries(family.cases(terms)).map(
      ([name, one]): CatalogueCase => ({
        spec: sentence,
        impact,
        fix,
        ...one,
        id: `${section}/${name}`,
        section,
        title: name.replaceAll('-', ' '),
        number: String(index + 1),
        level,
        contract,
      }),
    )
  })
  const createKit = (name: string, options: KitOptions) => createSharedKit(service, name, options)
  return {
    id: service.id,
    title: service.title,
    ...(service.library !== undefined && { library: service.library }),
    ackWithinMs: service.ackWithinMs,
    hasOneMode: true,
    cases,
    requireVersion(name = version) {
      if (name === version) return version
      throw new HarnessError('bad_option', `"contract" must be ${version}, not ${name}`, {
        names: ['contract'],
      })
    },
    sections: [...new Set(cases.map(({ section }) => section))].map((id) => ({ id, title: id })),
    select(options) {
      requireTestMode(service, options)
      const listedIn = `\`hookproof cases --service ${service.id}\` lists all cases`
      return selectFrom(
        { cases, current: version, caseIn: (_, one) => one, enteredIn: () => version, listedIn },
        options,
      )
    },
    secretFault: (secret) => secretFault(scheme, secret),
    createJudge(options) {
      const { decide, ...judge } = createJudge(createKit, options)
      return {
        ...judge,
        decide(testCase, { effects, ...result }, ownerOf) {
          const verdict = decide(testCase, result, ownerOf)
          if (effects === undefined) return verdict
          return { ...verdict, handled: new Map([...effects].map(([key, times]) => [key, times.length])) }
        },
      }
    },
    createKit,
    acknowledgedBy: service.acknowledgedBy,
    signatureHeader: scheme.header.name,
    scheme,
    windowSeconds,
    samples: names,
    sample: (name, options, kit = name) =>
      names.includes(name) ? createSharedKit(service, kit, options).sample(name) : undefined,
    isEvent: (value) => Object.keys(value).length > 0,
    dedupe: service.dedupe,
    observation: handlings,
    shownBy: (handled) => ({ handled }),
  }
}

/** @throws HarnessError `bad_option` in live mode: only the payment service has events that say so */
function requireTestMode({ title }: ServiceDefinition, { mode }: Pick<KitOptions, 'mode'>): void {
  if (mode === 'test') return
  const message = `"mode": the events of ${title} are sent in test mode only`
  throw new HarnessError('bad_option', message, { names: ['mode'] })
}

function createSharedKit(service: ServiceDefinition, name: string, options: KitOptions): SharedKit {
  requireTestMode(service, options)
  const { samples, scheme, windowSeconds, acknowledgedBy } = service
  let count = 0
  const newId: NewId = (prefix, length) => {
    const digest = createHash('sha512')
      .update(`${options.seed}/${name}/${(count += 1)}`)
      .digest()
    const letters = Array.from({ length }, (_, n) => LETTERS[(digest[n % 64] ?? 0) % LETTERS.length])
    return `${prefix}${letters.join('')}`
  }
  const now = () => options.emittedAt ?? options.now()
  const [first = ''] = Object.keys(samples)
  const { in: place } = service.dedupe
  const made = (sample: string, { note = NOTE, key }: { note?: string; key?: string } = {}) => {
    const own = samples[sample]?.({ newId, now: now(), note }) ?? {}
    const isField = typeof place === 'object' && 'field' in place && key !== undefined
    const event = isField ? { ...own, [place.field]: key } : own
    const about = service.about(event, sample, newId)
    return { body: Buffer.from(JSON.stringify(event)), about: key === undefined ? about : { ...about, key } }
  }
  const { event: firstEvent } = made(first).about
  const kit = kitWith(
    {
      scheme,
      windowSeconds,
      event: () => made(first),
      id: () => service.deliveryId?.(newId) ?? '',
      isEffective: ({ event, key }) => key !== undefined && event === firstEvent,
      acknowledgedBy,
      userAgent: service.userAgent,
      ...(service.headers !== undefined && { headers: service.headers }),
    },
    options,
  )
  const signed = (...args: Parameters<typeof made>) => {
    const { body, about } = made(...args)
    return kit.body(body, about)
  }
  return {
    ...kit,
    plain: kit.valid,
    noted: (note) => signed(first, { note }),
    sample: (sample) => signed(sample),
    keyed: (key) => signed(first, { key }),
  }
}
