import type { Judge } from '../../engine/case.ts'
import type { Exchange as AnyExchange } from '../../engine/exchange.ts'
import { decide, evaluateBy } from '../verdict.ts'
import { asControl } from './delivery.ts'
import { createDisclosures } from './disclosures.ts'
import { controlsAccepted } from './expectations/expect.ts'
import type { Webhooks } from './finding.ts'
import type { Kit, KitOptions } from './kit.ts'
import type { CatalogueCase, Evaluated, Evidence, Exchange, Verdict } from './model.ts'

/** What the cases of a run are judged by. */
export interface JudgeOptions extends KitOptions {
  readonly ackWithinMs: number
}

/** Makes and judges the cases of a service, and searches every answer for what none may contain. */
export interface ServiceJudge extends Judge<CatalogueCase, Verdict> {
  onExchange(this: void, exchange: AnyExchange, testCase: CatalogueCase): void
}

/**
 * Makes the judge of one run.
 *
 * @param createKit makes the deliveries of a case
 */
export function createJudge(
  createKit: (name: string, options: KitOptions) => Kit,
  options: JudgeOptions,
): ServiceJudge {
  const { secret, seed, ackWithinMs } = options
  const disclosures = createDisclosures(secret)
  return {
    plan({ id, send, needs }, { now, emittedAt, isAgain }) {
      const own = isAgain === true ? `${seed}/later` : seed
      const kit = createKit(id, { ...options, seed: own, now, emittedAt })
      const plan = send(kit)
      return { plan, marker: needs === 'effects' ? asControl(kit.valid()) : undefined }
    },
    evaluate: (testCase, { run, ...evidence }: Evidence) =>
      evaluate(testCase, {
        ...evidence,
        secrets: [secret],
        ackWithinMs,
        ...(run !== undefined && { run: { ...run, disclosed: disclosures.found() } }),
      }),
    staysRight: ({ level }, { found }: Evaluated) => level === 'MUST' && found.length === 0,
    decide: decide<Webhooks, CatalogueCase>,
    onExchange: (exchange: Exchange, { id }) => disclosures.see([exchange], id),
  }
}

/** Asks the expectations of a case, and that every control is accepted. */
export function evaluate(testCase: CatalogueCase, evidence: Evidence): Evaluated {
  return evaluateBy([...testCase.expect, controlsAccepted], evidence)
}

/** Judges one case by its evidence alone. */
export function judge(testCase: CatalogueCase, evidence: Evidence, durationMs: number): Verdict {
  const { exchanges } = evidence
  return decide(testCase, { exchanges, durationMs, evaluation: evaluate(testCase, evidence) })
}
