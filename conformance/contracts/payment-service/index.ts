import { SCENARIOS } from '../../../fixtures/index.ts'
import type { Effect } from '../../../schemas/types.ts'
import type { ObservationReader } from '../../engine/observe/observe.ts'
import type { WebhookContract } from '../webhook/contract.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { createJudge } from '../webhook/judge.ts'
import type { KitOptions } from '../webhook/kit.ts'
import type { CatalogueCase, ContractVersion } from '../webhook/model.ts'
import { readBy } from '../webhook/observation.ts'
import { selectFrom } from '../webhook/select.ts'
import { CRASH_CASES } from './cases/durable.ts'
import { CATALOGUE, SECTIONS } from './cases/index.ts'
import { createKit, type Kit } from './kit.ts'
import { refundOf } from './payments.ts'
import { CURRENT_VERSION, caseIn, enteredIn, requireVersion } from './requirements/versions.ts'
import { SCHEME, WINDOW_SECONDS } from './scheme.ts'

export type { Kit } from './kit.ts'

/** A contract whose receivers may also be killed and started again. */
export interface PaymentContract extends WebhookContract {
  /** Those that a run judges which kills the receiver and starts it again. */
  readonly crashCases: readonly CatalogueCase[]
  /** A case as a version has it; undefined for one that entered the contract later. */
  readonly caseIn: (version: ContractVersion, testCase: CatalogueCase) => CatalogueCase | undefined
  readonly createKit: (name: string, options: KitOptions) => Kit
  readonly observation: ObservationReader<Effect>
  /** A delivery that takes back what an earlier one caused. */
  readonly reversalOf: (delivery: Delivery, kit: Kit) => Delivery
}

/** What the payment service requires of its receivers: SPEC.md as a contract. */
export const paymentService: PaymentContract = {
  id: 'payment-service',
  title: 'the payment service',
  cases: CATALOGUE,
  sections: SECTIONS,
  ackWithinMs: 5_000,
  refusesWith: { unreadable: 400, forged: 401 },
  crashCases: CRASH_CASES,
  requireVersion,
  caseIn,
  select: (options) => selectFrom({ cases: CATALOGUE, current: CURRENT_VERSION, caseIn, enteredIn }, options),
  createJudge: (options) => createJudge(createKit, options),
  createKit,
  acknowledgedBy: [200, 200],
  signatureHeader: SCHEME.header.name,
  scheme: SCHEME,
  windowSeconds: WINDOW_SECONDS,
  samples: SCENARIOS,
  sample(name, options, kit = name) {
    const scenario = SCENARIOS.find((known) => known === name)
    return scenario === undefined ? undefined : createKit(kit, options).delivery(scenario)
  },
  isEvent(value) {
    const id = value['payment_id'] ?? value['id']
    return typeof (value['event'] ?? value['status']) === 'string' && typeof id === 'string' && id !== ''
  },
  observation: { key: 'payment_id', read: readBy('observation', ({ effects }) => effects) },
  // A function in `observe` returns no more than the effects.
  shownBy: (effects) => ({ effects }),
  reversalOf: refundOf,
}
