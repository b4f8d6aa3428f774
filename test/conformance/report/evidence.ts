import type { Delivery } from '../../../conformance/contracts/webhook/delivery.ts'
import type { Problematic } from '../../../conformance/contracts/webhook/finding.ts'
import type {
  Answer,
  Evidence,
  Exchange,
  Finding,
  WireError,
} from '../../../conformance/contracts/webhook/model.ts'
import { openText, receivedText } from '../../../conformance/report/words/findings.ts'
import type { Effect } from '../../../schemas/types.ts'
import { kitOf, SECRET } from '../support.ts'

/** The result of a delivery: a status, parts of an answer, or why there is none. */
export type Came = number | Partial<Answer> | WireError['code'] | 'broken off'

const kit = kitOf('made/up')

/** A delivery as a case sends it, with any changes. */
export const delivered = (about: Partial<Delivery> = {}): Delivery => ({
  ...kit.delivery('completed'),
  ...about,
})

/** An exchange with a given result, without a network. */
export function exchange(came: Came, about: Partial<Delivery> = {}): Exchange {
  const delivery = delivered(about)
  if (came === 'broken off') return { delivery, answer: undefined, error: undefined, unanswered: true }
  if (typeof came === 'string') return { delivery, answer: undefined, error: { code: came } }
  const {
    status = 200,
    headers = [],
    body = Buffer.alloc(0),
    truncated = false,
    ms = 1,
  } = typeof came === 'number' ? { status: came } : came
  return { delivery, answer: { status, headers, body, truncated, ms }, error: undefined }
}

/** A finding with its words instead of its data. */
export interface Worded extends Partial<Omit<Problematic, 'wrong' | 'payments' | 'change'>> {
  readonly problem?: string
  readonly untested?: string
}

/** A finding as a report says it. */
export function worded(finding: Finding): Worded | undefined {
  if (finding === undefined) return undefined
  if ('untested' in finding) return { ...finding, untested: openText(finding.untested) }
  const { wrong: _, payments: _payments, change: _change, ...rest } = finding
  return { problem: receivedText(finding), ...rest }
}

/** The same without the exchanges that show it. */
export function shortened(finding: Worded | undefined): Worded | undefined {
  if (finding === undefined) return finding
  const { exchanges: _, ...rest } = finding
  return rest
}

/** Evidence made of exchanges and of the effects that the receiver shows for each payment. */
export function evidence(
  exchanges: readonly Exchange[],
  shown: Readonly<Record<string, readonly Partial<Effect>[]>> = {},
  ackWithinMs = 1_000,
): Evidence {
  const whole = (effect: Partial<Effect>): Effect => ({
    event: 'payment.completed',
    effect: 'fulfilled',
    amount: '25.00',
    currency: 'USD',
    ...effect,
  })
  return {
    exchanges,
    effects: (paymentId) => (shown[paymentId] ?? []).map(whole),
    secrets: [SECRET],
    ackWithinMs,
  }
}
