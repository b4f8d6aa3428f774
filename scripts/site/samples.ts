import type { Delivery } from '../../conformance/contracts/payment-service/delivery.ts'
import { createKit } from '../../conformance/contracts/payment-service/kit.ts'
import type { CatalogueCase } from '../../conformance/contracts/payment-service/model.ts'
import type { Step } from '../../conformance/engine/plan.ts'
import { requestBlock } from './wire.ts'

/** The secret that signs the samples. */
export const SECRET = 'whsec_c2FtcGxlIHNlY3JldCBvZiB0aGUgc2l0ZQ'
/** The time of the samples in Unix seconds: 1 January 2026. */
export const NOW = 1_767_225_600

/** How many different requests of one case a page shows. */
const SHOWN = 4

const ORDERS: Readonly<Partial<Record<Step['how'], string>>> = {
  together: 'all at once',
  'few-at-once': 'a few at once',
  'one-connection': 'on one connection',
  'separate-connections': 'each on a new connection',
  pipelined: 'on one connection, before any response',
  held: 'while other connections stay open, unfinished',
}

interface Sample {
  readonly delivery: Delivery
  readonly how: Step['how']
  times: number
}

/** What a case sends, as Markdown: each different request once, with the same seed, secret and time in every build. */
export function samplesOf(testCase: CatalogueCase): { text: string; hasControl: boolean } {
  const kit = createKit(testCase.id, {
    secret: SECRET,
    seed: 'site',
    mode: testCase.mode ?? 'test',
    now: () => NOW,
  })
  const plan = testCase.send(kit)
  const samples = new Map<string, Sample>()
  for (const { how, deliveries } of plan) {
    for (const delivery of deliveries) {
      const key = [delivery.role, delivery.change, delivery.event, delivery.method].join('\n')
      const known = samples.get(key)
      if (known === undefined) samples.set(key, { delivery, how, times: 1 })
      else known.times += 1
    }
  }
  const all = [...samples.values()]
  const blocks = all.slice(0, SHOWN).map((sample) => `${titleOf(sample)}\n\n${requestBlock(sample.delivery)}`)
  const rest = all.slice(SHOWN).map((sample) => `- ${titleOf(sample).replace(/^### /, '')}`)
  const waits = plan.flatMap((step) =>
    step.how === 'until-acknowledged' ? [`It also sends other payments, ${step.payments} in total.`] : [],
  )
  const text = [...blocks, ...(rest.length === 0 ? [] : ['### And also', rest.join('\n')]), ...waits]
  return { text: text.join('\n\n'), hasControl: all.some(({ delivery }) => delivery.role === 'control') }
}

function titleOf({ delivery, how, times }: Sample): string {
  const { event, change, role, method } = delivery
  const what = `${method === 'POST' ? '' : `${method} `}${event === undefined ? 'a body' : `\`${event}\``}`
  const kind = role === 'control' ? 'the valid control, ' : ''
  const order = ORDERS[how]
  const details = [
    ...(times > 1 ? [`${times} times`] : []),
    ...(order !== undefined && times > 1 ? [order] : []),
  ]
  const title = `${kind}${what}${change === undefined ? '' : ` with ${change}`}`
  return `### ${title.charAt(0).toUpperCase()}${title.slice(1)}${details.length === 0 ? '' : ` (${details.join(', ')})`}`
}
