import { isUtf8 } from 'node:buffer'
import type { Effect } from '../../schemas/types.ts'
import type { WebhookContract } from '../contracts/webhook/contract.ts'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { OddEvent } from '../contracts/webhook/kit.ts'
import type { Exchange, Expectation, Verdict } from '../contracts/webhook/model.ts'
import type { ShownHandling } from '../contracts/webhook/observation.ts'
import { type Judgement, judgementOf } from './judgement.ts'
import { remembered } from './remember.ts'
import type { CauseCode, Said } from './statement.ts'
import { correctOf, type Verifier } from './verifier.ts'

/** At least this share of the valid deliveries, rejected, has one cause. */
export const MOST = 0.8

/** Causes that deliveries sent after the cases prove. */
export type ProbedCode = Extract<
  CauseCode,
  | 'blocked_by_unfinished_body'
  | 'connection_trusted'
  | 'deduplicated_per_process'
  | 'deduplication_forgotten'
  | 'events_debounced'
  | 'fails_when_concurrent'
  | 'lost_beside_another'
  | 'lost_in_burst'
  | 'lost_now_and_then'
  | 'lost_when_concurrent'
  | 'places_not_released'
  | 'requests_mixed_up'
  | 'stopped_answering'
  | 'work_stopped'
>

/** What was found out after the cases, to explain failures; it is part of no verdict. */
export interface FoundAfterwards {
  /** The mistakes that a receiver gave away by accepting what only they accept. */
  readonly given: readonly Said[]
  /** Whether a valid delivery was accepted after the cases, though nearly none of theirs was. */
  readonly acceptsAgain: boolean
  /** Whether a forged body that is not JSON is refused otherwise than one that is, where nearly nothing was accepted. */
  readonly parsesFirst: boolean
  /** The same for one without a signature, as a receiver that looks for the header first refuses it. */
  readonly readsHeader?: boolean
  /** The payments whose effects appeared after their case was judged. */
  readonly lateEffects: ReadonlySet<string>
  /** The causes that a probe has proven. */
  readonly probed: readonly ProbedCode[]
  /** The event beside which acknowledged payments are lost. */
  readonly lostBeside?: OddEvent | undefined
}

export const NOTHING_FOUND: FoundAfterwards = {
  given: [],
  acceptsAgain: false,
  parsesFirst: false,
  lateEffects: new Set(),
  probed: [],
}

/** A delivery of a case and what was observed, beside what the contract requires. */
export interface Trial {
  readonly verdict: Verdict
  readonly exchange: Exchange
  readonly delivery: Delivery
  /** Whether the contract requires that it is accepted; undefined where it leaves that open. */
  readonly shouldAccept: boolean | undefined
  /** What a correct receiver makes of it; undefined where the signature does not decide. */
  readonly correct: Judgement | undefined
  /** Whether the response was 2xx, or 4xx and 5xx; undefined for any other, or without a response. */
  readonly accepted: boolean | undefined
  readonly status: number | undefined
}

/** Everything that the causes are recognized by. */
export interface Symptoms extends FoundAfterwards {
  /** The service whose contract was tested. */
  readonly service: WebhookContract
  readonly verdicts: readonly Verdict[]
  /** The verdicts that need an explanation. */
  readonly open: readonly Verdict[]
  readonly trials: readonly Trial[]
  /** The trials that must be accepted, without those that a broken connection decides. */
  readonly valid: readonly Trial[]
}

/** Reads the symptoms from the verdicts of a run. */
export function symptomsOf(
  { service, verdicts }: Pick<Symptoms, 'service' | 'verdicts'>,
  found: FoundAfterwards,
): Symptoms {
  const correct = correctOf(service)
  const trials = verdicts.flatMap((verdict) => trialsOf(verdict, correct))
  const valid = trials.filter(({ shouldAccept }) => shouldAccept === true)
  return { ...found, service, verdicts, open: verdicts.filter(isOpen), trials, valid }
}

/** Whether a case did not pass although it was tested. */
export function isOpen({ outcome }: Verdict): boolean {
  return outcome !== 'passed' && outcome !== 'untested'
}

/** Whether the case lacks an effect that may only be late. */
export function lacksEffects({ reason, problems }: Verdict): boolean {
  return (
    reason?.code === 'control_effect_unseen' || problems.some(({ observed }) => observed === 'not-fulfilled')
  )
}

/** How many effects the case shows for a key; undefined when none were observed. */
export function effectsOf({ effects, handled }: Verdict, key: string): number | undefined {
  return handled?.get(key) ?? effects?.get(key)?.length
}

/** Whether the case shows any effect. */
export const showsAny = (verdict: Verdict): boolean =>
  [...(verdict.effects ?? verdict.handled ?? new Map()).keys()].some((key) => effectsOf(verdict, key) !== 0)

/** Whether the case shows a payment that was fulfilled, or a delivery that was handled, more than once. */
export function fulfilledTwice({ effects, handled }: Verdict): boolean {
  const payments = [...(effects?.values() ?? [])].map((list) => timesIn(list))
  return [...payments, ...(handled?.values() ?? [])].some((times) => times > 1)
}

/** How often a payment was fulfilled, or a delivery handled. */
export const timesIn = (effects: readonly (Effect | ShownHandling)[]): number =>
  effects.filter((one) => 'handled' in one || one.effect === 'fulfilled').length

/** The declared content type; undefined without one. */
export function contentTypeOf({ headers }: Delivery): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
}

/** Whether another charset is declared than that of JSON, or a content encoding. */
export function isOtherwiseEncoded(delivery: Delivery): boolean {
  const charset = /charset="?([^";\s]+)/i.exec(contentTypeOf(delivery) ?? '')?.[1]
  return (
    (charset !== undefined && charset.toLowerCase() !== 'utf-8') ||
    delivery.headers.some(([name]) => name.toLowerCase() === 'content-encoding')
  )
}

/** Whether the body is JSON. */
export const isJson = remembered((body: Buffer): boolean => {
  try {
    JSON.parse(body.toString())
    return true
  } catch {
    return false
  }
})

/** The open verdicts of cases that send a body that is not JSON: a receiver that parses first fails there too. */
export function fedNoJson({ open }: Symptoms): Set<Verdict> {
  return new Set(
    open.filter(({ exchanges }) =>
      exchanges.some(({ delivery }) => delivery.role !== 'control' && !isJson(delivery.body)),
    ),
  )
}

/** The JSON object that a body is; undefined for any other. */
const objectIn = remembered((body: Buffer): Readonly<Record<string, unknown>> | undefined => {
  // A receiver may refuse bytes that are not UTF-8, whatever it verifies.
  if (!isUtf8(body) || !isJson(body)) return undefined
  const value: unknown = JSON.parse(body.toString())
  return typeof value === 'object' && value !== null ? { ...value } : undefined
})

/** Whether the body is an event of the service: no other body has to be accepted, however it is signed. */
export function isEvent(body: Buffer, { isEvent }: Pick<WebhookContract, 'isEvent'>): boolean {
  const value = objectIn(body)
  return value !== undefined && isEvent(value)
}

function trialsOf(verdict: Verdict, correct: Verifier): Trial[] {
  return verdict.exchanges
    .filter(({ unanswered }) => unanswered !== true)
    .map((exchange) => {
      const { delivery, answer } = exchange
      const shouldAccept = required(verdict, exchange)
      const judgement = judgementOf(correct, delivery)
      const agrees = shouldAccept === undefined || (judgement === 'accepted') === shouldAccept
      return {
        verdict,
        exchange,
        delivery,
        shouldAccept,
        // A signed body that is no event, say, is refused for another reason than its signature.
        correct: agrees ? judgement : undefined,
        accepted: acceptedBy(answer?.status),
        status: answer?.status,
      }
    })
}

function acceptedBy(status = 0): boolean | undefined {
  if (status >= 200 && status < 300) return true
  return status >= 400 ? false : undefined
}

function required({ case: { expect } }: Verdict, { delivery: { role } }: Exchange): boolean | undefined {
  const expects = (...kinds: Expectation['kind'][]) => expect.some(({ kind }) => kinds.includes(kind))
  if (role === 'control') return true
  if (role === 'context') return expects('context-refused') ? false : undefined
  if (expects('accepted')) return true
  // What must not be handled must be refused, although the case looks at the effects alone.
  const mustHaveNone = expect.some(({ about }) => about?.includes('handled-not-due') === true)
  return mustHaveNone || expects('refused') ? false : undefined
}
