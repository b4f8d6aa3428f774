import { isLive } from './shared/mode.ts'
import type {
  FailureCode,
  PaymentCompletedEvent,
  PaymentRefundedEvent,
  WebhookEvent,
} from './webhook-event.ts'

/** One business effect, or an anomaly. A payment has each at most once per mode. */
export interface LedgerLine {
  readonly paymentId: string
  /** False for a payment made with a test key. */
  readonly livemode: boolean
  /** An anomaly is a completion without money, for people to look at: nothing was given. */
  readonly effect: 'fulfilled' | 'reversed' | 'anomaly'
  /** The name of the event that caused it. */
  readonly event: string
  /** Decimal text, never a number, because binary fractions lose cents. Only a reversal or an anomaly may have other text. */
  readonly amount: string
  readonly currency: string
}

/** The effects of a payment, oldest first: the JSON of GET /observe. SPEC.md 9. */
export interface Observation {
  effects: (Omit<LedgerLine, 'paymentId' | 'effect'> & { effect: 'fulfilled' | 'reversed' })[]
}

/** The store of ledger lines. `Transaction` is the transaction type of the inbox. */
export interface Ledger<in Transaction = never> {
  /**
   * Adds a line within a transaction, unless the payment already has one of the conflicting effects in the same mode. The
   * check and the insert are atomic, also across machines. False if nothing was added.
   */
  addUnless(
    transaction: Transaction,
    conflicting: readonly LedgerLine['effect'][],
    line: LedgerLine,
  ): boolean | Promise<boolean>
  /** The lines of a payment, oldest first. */
  linesOf(paymentId: string): Promise<LedgerLine[]>
}

/** What a customer can do about a failed payment. */
export type Advice = 'try-another-method' | 'try-again' | 'start-over' | 'none'

export interface OrdersOptions<Transaction> {
  ledger: Ledger<Transaction>
  /** Called for a failed payment; possibly again after a crash. */
  onFailure?: (paymentId: string, advice: Advice) => Promise<void> | void
}

/** `handle` and `transact` are for `startProcessing`. */
export interface Orders<in Transaction = never> {
  /** Notifies other systems. */
  handle(event: WebhookEvent, payment: { paymentId: string }): Promise<void>
  /** Records the effect in the transaction that marks the event as handled. False if there was no effect. */
  transact(
    event: WebhookEvent,
    payment: { paymentId: string },
    transaction: Transaction,
  ): boolean | Promise<boolean>
  /** The effects of a payment: the answer to GET /observe. SPEC.md 9. */
  observe(paymentId: string): Promise<Observation>
}

/**
 * The example business: it fulfills a completed payment and reverses a refunded one. The ledger ends the same whatever the
 * order and the number of events. SPEC.md 9.
 */
export function createOrders<Transaction>(options: OrdersOptions<Transaction>): Orders<Transaction> {
  const { ledger, onFailure = () => {} } = options
  return {
    async handle(event, { paymentId }) {
      if (event.event === 'payment.failed') await onFailure(paymentId, adviceFor(event.failure_code))
    },
    transact(event, { paymentId }, transaction) {
      if (event.event === 'payment.refunded')
        return ledger.addUnless(transaction, ['reversed'], lineFor('reversed', event, paymentId))
      // What was paid in part is not credited yet. An unknown event may be one of a later version.
      if (event.event !== 'payment.completed') return false
      const effect = hasMoney(event) ? 'fulfilled' : 'anomaly'
      // A reversal that arrived first has already canceled it.
      const conflicting = ['fulfilled', 'anomaly', 'reversed'] as const
      return ledger.addUnless(transaction, conflicting, lineFor(effect, event, paymentId))
    },
    async observe(paymentId) {
      const lines = await ledger.linesOf(paymentId)
      return {
        effects: lines.flatMap(({ event, effect, amount, currency, livemode }) =>
          effect === 'anomaly' ? [] : [{ event, effect, amount, currency, livemode }],
        ),
      }
    },
  }
}

type MoneyEvent = PaymentCompletedEvent | PaymentRefundedEvent

// The types state what the interface documents. The fields themselves have not been validated, and an event that can never
// be recorded would be retried in vain.
function lineFor(effect: LedgerLine['effect'], event: MoneyEvent, paymentId: string): LedgerLine {
  // Not amount_requested, which is the ordered amount, nor settled_via, which may be in another currency.
  const { amount, currency }: { amount: unknown; currency: unknown } = event
  return {
    paymentId,
    livemode: isLive(event),
    effect,
    event: event.event,
    amount: textOf(amount),
    currency: textOf(currency),
  }
}

// String() throws for an object with a toString of its own, and for a deeply nested list.
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value)

/** Whether the event has a positive decimal amount, and a currency. */
function hasMoney({ amount, currency }: MoneyEvent): boolean {
  const isPositive = typeof amount === 'string' && /^(?=.*[1-9])[0-9]+(\.[0-9]+)?$/.test(amount)
  return isPositive && typeof currency === 'string' && currency !== ''
}

// The service reports an unknown cause as provider_error.
function adviceFor(failureCode: FailureCode = 'provider_error'): Advice {
  switch (failureCode) {
    case 'card_declined':
    case 'insufficient_funds':
    case 'card_unsupported':
    case 'authentication_failed':
    case 'currency_unsupported':
      return 'try-another-method'
    case 'invoice_expired':
    case 'underpayment':
      return 'start-over'
    case 'cancelled_by_customer':
      return 'none'
    case 'provider_unavailable':
    case 'provider_error':
    default:
      // Also for codes that the service adds without notice.
      return 'try-again'
  }
}
