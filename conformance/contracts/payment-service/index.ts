import { SCENARIOS } from '../../../fixtures/index.ts'
import type { Effect } from '../../../schemas/types.ts'
import type { ObservationReader } from '../../engine/observe/observe.ts'
import type { WebhookContract } from '../webhook/contract.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { createJudge } from '../webhook/judge.ts'
import type { KitOptions } from '../webhook/kit.ts'
import type { CatalogueCase, ContractVersion } from '../webhook/model.ts'
import { CRASH_CASES } from './cases/durable.ts'
import { CATALOGUE, SECTIONS } from './cases/index.ts'
import { createKit, type Kit } from './kit.ts'
import { observation, shownBy } from './observation.ts'
import { refundOf } from './payments.ts'
import { caseIn, requireVersion } from './requirements/versions.ts'
import { SCHEME, WINDOW_SECONDS } from './scheme.ts'
import { select } from './select.ts'

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
  select,
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
  observation,
  shownBy,
  reversalOf: refundOf,
}
