import { createKit } from '../../conformance/contracts/payment-service/kit.ts'
import { createJudge } from '../../conformance/contracts/webhook/judge.ts'
import type { KitOptions } from '../../conformance/contracts/webhook/kit.ts'
import type { CatalogueCase, Verdict } from '../../conformance/contracts/webhook/model.ts'
import type { Target } from '../../conformance/contracts/webhook/target.ts'
import type { Observer } from '../../conformance/engine/observe/observe.ts'
import { createTraffic, type Traffic } from '../../conformance/engine/pace/traffic.ts'
import { createPlans } from '../../conformance/engine/run/plans.ts'
import { run } from '../../conformance/engine/run/run.ts'

interface Options extends KitOptions {
  readonly target: Target
  readonly cases: readonly CatalogueCase[]
  readonly observer: Observer | undefined
  readonly concurrency: number
  readonly ackWithinMs: number
  readonly waitMs: number
  readonly traffic?: Traffic
}

/** Runs cases of the payment service as `check` does, without a preflight and without a report. */
export function runCases(options: Options): AsyncGenerator<Verdict> {
  const judge = createJudge(createKit, options)
  const plans = createPlans(options.cases, judge, options.now)
  const plain = createKit('traffic', options).valid
  const { traffic = createTraffic({ ...options, plain }) } = options
  return run({ ...options, judge, plans, traffic, onExchange: judge.onExchange })
}
