import type { Observation } from '../schemas/types.ts'
import type { WebhookEvent } from './verify.ts'

/** One business effect. For each payment and mode an effect stands at most once. */
export interface LedgerLine {
  readonly paymentId: string
  /** False for a payment made with a test key; test and live never meet in one line. */
  readonly livemode: boolean
  readonly effect: 'fulfilled' | 'reversed'
  /** The name of the event that caused it. */
  readonly event: string
  /** Decimal text, never a number: binary fractions lose cents. */
  readonly amount: string
  readonly currency: string
}

/** Where the lines are kept. `Transaction` is that of the inbox beside which it stands. */
export interface Ledger<in Transaction = never> {
  /**
   * Adds a line within a transaction, unless one with any of these effects stands already for the same payment and
   * mode. Looking and adding are one step, or two events handled at once, be it by two machines, would both find
   * nothing. False if nothing was added.
   */
  addUnless(
    transaction: Transaction,
    standing: readonly LedgerLine['effect'][],
    line: LedgerLine,
  ): boolean | Promise<boolean>
  /** The lines of a payment, oldest first. */
  linesOf(paymentId: string): Promise<LedgerLine[]>
}

/** What a customer can do about a failed payment. */
export type Advice = 'try-another-method' | 'try-again' | 'start-anew' | 'none'

export interface OrdersOptions<Transaction> {
  ledger: Ledger<Transaction>
  /** Told of a failed payment. May be told again after a crash. */
  onFailure?: (paymentId: string, advice: Advice) => Promise<void> | void
}

/** `handle` and `transact` are for `startProcessing`. */
export interface Orders<in Transaction = never> {
  /** Tells the world outside. */
  handle(event: WebhookEvent, payment: { paymentId: string }): Promise<void>
  /** Books the effect, within the transaction that records that the event was handled. False if there was none. */
  transact(
    event: WebhookEvent,
    payment: { paymentId: string },
    transaction: Transaction,
  ): boolean | Promise<boolean>
  /** What was done about a payment: the answer to GET /observe. SPEC.md 9. */
  observe(paymentId: string): Promise<Observation>
}

/**
 * The example business: goods are handed out for a completed payment and taken back for a reversed one. Events may
 * come in any order and any number of times, and the ledger ends the same. SPEC.md 9.
 */
export function createOrders<Transaction>(options: OrdersOptions<Transaction>): Orders<Transaction> {
  const { ledger, onFailure = () => {} } = options
  return {
    async handle(event, { paymentId }) {
      if (event.event === 'payment.failed') await onFailure(paymentId, adviceFor(event.failure_code))
    },
    transact(event, { paymentId }, transaction) {
      switch (event.event) {
        case 'payment.completed':
          // A reversal that came first has already undone this.
          return ledger.addUnless(
            transaction,
            ['fulfilled', 'reversed'],
            lineFor('fulfilled', event, paymentId),
          )
        case 'payment.refunded':
          return ledger.addUnless(transaction, ['reversed'], lineFor('reversed', event, paymentId))
        case 'payment.failed':
        case 'payment.partial':
        case 'payment.expired':
          // What came in so far is not the merchant's yet.
          return false
        default:
          // An event of tomorrow: it was acknowledged, and nothing is known that could be done about it.
          return false
      }
    },
    async observe(paymentId) {
      const lines = await ledger.linesOf(paymentId)
      return {
        effects: lines.map(({ event, effect, amount, currency, livemode }) => ({
          event,
          effect,
          amount,
          currency,
          livemode,
        })),
      }
    },
  }
}

function lineFor(effect: LedgerLine['effect'], event: WebhookEvent, paymentId: string): LedgerLine {
  // Never amount_requested, which is what was ordered, nor settled_via, which may be in another currency.
  const { amount, currency } = event
  if (typeof amount !== 'string' || !/^[0-9]+(\.[0-9]+)?$/.test(amount)) {
    throw new Error(`${event.event}: amount is not decimal text`)
  }
  if (typeof currency !== 'string' || currency === '') throw new Error(`${event.event}: currency is missing`)
  return { paymentId, livemode: isLive(event), effect, event: event.event, amount, currency }
}

/** Older samples lack livemode and were live. Of two marks that disagree, the one for test wins. */
function isLive({ livemode, test }: WebhookEvent): boolean {
  return test !== true && (livemode === undefined || livemode === true)
}

// The service reports what it can not tell as provider_error.
function adviceFor(failureCode: unknown = 'provider_error'): Advice {
  switch (failureCode) {
    case 'card_declined':
    case 'insufficient_funds':
    case 'card_unsupported':
    case 'authentication_failed':
    case 'currency_unsupported':
      return 'try-another-method'
    case 'provider_unavailable':
    case 'provider_error':
      return 'try-again'
    case 'invoice_expired':
    case 'underpayment':
      return 'start-anew'
    case 'cancelled_by_customer':
      return 'none'
    default:
      // New codes appear without notice.
      return 'try-again'
  }
}
