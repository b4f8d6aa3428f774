// The events of schemas/event.strict.json, with which test/receiver/webhook-event.test.ts compares them.

/**
 * An event with the fields that the interface documents. The signature proves that the service sent it, but
 * the receiver validates only the name and the payment id: check a field before you rely on it. Compare
 * `event` with a name to get its fields: `if (event.event === 'payment.completed') ship(event.amount)`. The
 * service may add events, fields and codes at any time, so keep a default branch; every field can be read,
 * and one that is not listed is `unknown`.
 */
export type WebhookEvent =
  | PaymentCompletedEvent
  | PaymentFailedEvent
  | PaymentPartialEvent
  | PaymentRefundedEvent
  | PaymentExpiredEvent
  | UnknownEvent

/** What the listed events have in common. */
interface PaymentEvent {
  /**
   * The root session id that payment creation returned. It stays the same when the customer switches the
   * payment method, and for refunds.
   */
  readonly id: string
  /** The same as `id`. */
  readonly payment_id?: string
  /** The same as `id`. */
  readonly order_id?: string
  /**
   * Money as decimal text: never a JSON number, no sign, no exponent, no superfluous leading zero. Zero is
   * allowed: a crypto order can be unpaid entirely.
   */
  readonly amount: string
  /** The currency code from payment creation: usually three letters, longer for some crypto assets. */
  readonly currency: string
  /** The method that the customer finally paid with. */
  readonly payment_method?: PaymentMethod
  /** A rail code without brand names. The interface does not publish the list of codes. */
  readonly processor?: string
  /** How a mixed-checkout payment was settled. Amount and currency may differ from the top-level fields. */
  readonly settled_via?: SettledVia
  /** True for payments with a live key, false for a test key. Older samples do not have it. */
  readonly livemode?: boolean
  /**
   * When the event was emitted (ISO 8601). It is not the signed time, and a redelivery may have another one.
   */
  readonly timestamp?: string
  /** The metadata that the merchant attached at payment creation, unchanged. */
  readonly metadata: {
    readonly [key: string]: string
  }
  readonly [field: string]: unknown
}

/**
 * The payment is complete, possibly for less than was ordered: then amount is the amount received and
 * amount_requested the amount ordered. The test checkout may omit payment_id, order_id, payment_method,
 * processor and timestamp.
 */
export interface PaymentCompletedEvent extends PaymentEvent {
  readonly event: 'payment.completed'
  readonly status: 'completed' | (string & {})
  /** The amount ordered, for short payments only. Fulfill for amount, never for this. */
  readonly amount_requested?: string
  /** Marks an event from the test checkout. */
  readonly test?: boolean
}

/**
 * The payment failed. The test checkout may omit payment_id, order_id, payment_method, processor, timestamp,
 * failure_code and failure_reason.
 */
export interface PaymentFailedEvent extends PaymentEvent {
  readonly event: 'payment.failed'
  readonly status: 'failed' | (string & {})
  /**
   * Why the payment failed, as a stable code to branch on. New codes may appear, so keep a default branch.
   */
  readonly failure_code?: FailureCode
  /** Why the payment failed, for people. The wording may change at any time. */
  readonly failure_reason?: string
  /** Marks an event from the test checkout. */
  readonly test?: boolean
}

/** What the test checkout never omits. */
interface FullPaymentEvent extends PaymentEvent {
  readonly payment_id: string
  readonly order_id: string
  readonly payment_method: PaymentMethod
  readonly processor: string
  readonly timestamp: string
}

/** The interface does not publish which of the three statuses these events have, so each is allowed: use event instead. */
interface PartlyPaidEvent extends FullPaymentEvent {
  /** Status of the payment. There is no status named partial or expired. */
  readonly status: PaymentStatus
  /** The amount that the customer has paid so far, in the currency of amount. It is not credited: fulfill nothing. */
  readonly amount_received: string
}

/** The customer has paid less than the invoice amount, by crypto or gift card, and may pay more. */
export interface PaymentPartialEvent extends PartlyPaidEvent {
  readonly event: 'payment.partial'
}

/** A completed payment was reversed. It may arrive before the payment.completed that it reverses. */
export interface PaymentRefundedEvent extends FullPaymentEvent {
  readonly event: 'payment.refunded'
  /** chargeback: reversed against the merchant's will. refund: returned by the merchant. */
  readonly type: RefundType
  readonly status: 'refunded' | (string & {})
}

/** A partly paid gift-card order under $2 has expired. */
export interface PaymentExpiredEvent extends PartlyPaidEvent {
  readonly event: 'payment.expired'
}

/** An event with a name that is not listed here: acknowledge it and do nothing, unless you know the name. */
export interface UnknownEvent {
  /**
   * Only comparisons with the listed names compile, which reports misspelled ones. To handle another name,
   * compare it as a string: `entry.name === 'payment.disputed'`.
   */
  readonly event: UnknownEventName
  readonly [field: string]: unknown
}

/**
 * Any string that is not the name of a listed event, which TypeScript cannot express. Were it `string`, a
 * comparison with a listed name would not exclude the unknown event. So it is a pattern that no name matches:
 * do not rely on it.
 */
type UnknownEventName = `unknown ${string}` & { readonly [unknownName]?: never }

declare const unknownName: unique symbol

/** Why the payment failed, as a stable code to branch on. New codes may appear, so keep a default branch. */
export type FailureCode =
  | 'card_declined'
  | 'insufficient_funds'
  | 'card_unsupported'
  | 'authentication_failed'
  | 'invoice_expired'
  | 'underpayment'
  | 'currency_unsupported'
  | 'cancelled_by_customer'
  | 'provider_unavailable'
  | 'provider_error'
  | (string & {})

/** The method that the customer finally paid with. */
export type PaymentMethod =
  | 'card'
  | 'pix'
  | 'c2c'
  | 'sbp'
  | 'qris'
  | 'gcash'
  | 'maya'
  | 'telegram_stars'
  | 'crypto'
  | 'alipay'
  | 'wxpay'
  | 'gift_card'
  | 'cashapp'
  | (string & {})

/** Status of the payment. There is no status named partial or expired. */
export type PaymentStatus = 'completed' | 'failed' | 'refunded' | (string & {})

/** chargeback: reversed against the merchant's will. refund: returned by the merchant. */
export type RefundType = 'chargeback' | 'refund' | (string & {})

/** How a mixed-checkout payment was settled. Amount and currency may differ from the top-level fields. */
export interface SettledVia {
  /** Rail code, usually in upper case. */
  readonly rail: string
  /**
   * Money as decimal text: never a JSON number, no sign, no exponent, no superfluous leading zero. Zero is
   * allowed: a crypto order can be unpaid entirely.
   */
  readonly amount: string
  /** The currency code from payment creation: usually three letters, longer for some crypto assets. */
  readonly currency: string
  readonly [field: string]: unknown
}
