import type { Judge } from '../../engine/case.ts'
import type { Exchange as AnyExchange } from '../../engine/exchange.ts'
import { decide, evaluate } from '../verdict.ts'
import { asControl } from './delivery.ts'
import { createDisclosures } from './disclosed/disclosures.ts'
import { createKit, type KitOptions } from './kit.ts'
import type { CatalogueCase, Evaluated, Evidence, Exchange, Verdict } from './model.ts'

/** What the cases of a run are judged by. */
export interface JudgeOptions extends KitOptions {
  readonly ackWithinMs: number
}

/** Makes and judges the cases of the payment service, and searches every answer for what none may contain. */
export interface ServiceJudge extends Judge<CatalogueCase, Verdict> {
  onExchange(this: void, exchange: AnyExchange, testCase: CatalogueCase): void
}

/** Makes the judge of one run. */
export function createJudge(options: JudgeOptions): ServiceJudge {
  const { secret, seed, ackWithinMs } = options
  const disclosures = createDisclosures(secret)
  return {
    plan({ id, send, needs }, { now, emittedAt, isAgain }) {
      const own = isAgain === true ? `${seed}/later` : seed
      const kit = createKit(id, { ...options, seed: own, now, emittedAt })
      const plan = send(kit)
      return { plan, marker: needs === 'effects' ? asControl(kit.delivery('completed')) : undefined }
    },
    evaluate: (testCase, { run, ...evidence }: Evidence) =>
      evaluate(testCase, {
        ...evidence,
        secrets: [secret],
        ackWithinMs,
        ...(run !== undefined && { run: { ...run, disclosed: disclosures.found() } }),
      }),
    staysRight: ({ level }, { found }: Evaluated) => level === 'MUST' && found.length === 0,
    decide,
    onExchange: (exchange: Exchange, { id }) => disclosures.see([exchange], id),
  }
}
