import type { Delivery } from '../delivery.ts'
import { accepted } from '../expectations/expect.ts'
import { notLetIn } from '../expectations/unverified.ts'
import type { Kit } from '../kit.ts'
import type { CaseOfRequirement, Expectation, Guidance, Plan } from '../model.ts'
import type { DedupeKey, Scheme } from '../scheme.ts'

/** What the cases that services share build their deliveries from. */
export interface SharedKit extends Kit {
  /** A valid delivery of one of the service's sample events. */
  readonly sample: (name: string) => Delivery
  /** A valid delivery of a new event with this key, by which a receiver recognizes its redeliveries. */
  readonly keyed: (key: string) => Delivery
}

/** What cases of a family need to know about a service beside its kit. */
export interface FamilyTerms {
  readonly scheme: Scheme
  readonly windowSeconds: number
  readonly samples: readonly string[]
  readonly dedupe: DedupeKey
}

type SharedCase = CaseOfRequirement<SharedKit>

/** Cases that several services share: a function of what each of them states. */
export interface Family extends Guidance {
  readonly section: string
  readonly cases: (terms: FamilyTerms) => Readonly<Record<string, SharedCase>>
}

/** Every probe is acknowledged, with any status from 200 to 299. */
export const acknowledged: Expectation = { ...accepted, expected: { code: 'acknowledged' } }

type Send = (kit: SharedKit) => Plan

/**
 * Cases that send what a receiver must not accept, then what it accepts. Services do not say how to refuse: any status but a
 * success is a refusal, or no answer.
 */
export const notAcceptedEach =
  (sends: Readonly<Record<string, Send>>, expectation = notLetIn): Family['cases'] =>
  () =>
    Object.fromEntries(Object.entries(sends).map(([name, send]) => [name, { send, expect: [expectation] }]))
