// Generated from schemas/*.json by `npm run generate`: do not edit.

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

/** chargeback: reversed against the merchant's will. refund: returned by the merchant. */
export type RefundType = 'chargeback' | 'refund'

/**
 * Money as decimal text: never a JSON number, no sign, no exponent, no superfluous leading zero. Zero is
 * allowed: a crypto order can be unpaid entirely.
 */
export type Amount = string

/** The currency code from payment creation: usually three letters, longer for some crypto assets. */
export type Currency = string

/**
 * The root session id that payment creation returned. It stays the same when the customer switches the
 * payment method, and for refunds.
 */
export type PaymentId = string

/** True for payments with a live key, false for a test key. Older samples do not have it. */
export type Livemode = boolean

/** An event of the test checkout, with the full or the sparse body. */
export type SimulatedEvent =
  | SimulatedCompleted
  | SimulatedFailed
  | SimulatedSparseCompleted
  | SimulatedSparseFailed

/** A rail code without brand names. The interface does not publish the list of codes. */
export type Processor = string

/**
 * When the event was emitted (ISO 8601). It is not the signed time, and a redelivery may have another one.
 */
export type Timestamp = string

/** Why the payment failed, for people. The wording may change at any time. */
export type FailureReason = string

/** Status of the payment. There is no status named partial or expired. */
export type PaymentStatus = 'completed' | 'failed' | 'refunded'

/** The fixed text of a simulated failure. */
export type SimulatedFailureReason = 'Simulated failure'

/**
 * The body of a delivery, read strictly: exactly what the payment service sends. It has one branch for each
 * event name and one for simulated events. Written by hand; event.tolerant.json and types.ts are generated
 * from it. The three ids (id, payment_id, order_id) are always equal, which JSON Schema cannot express. Our
 * own keywords, which other validators ignore: x-open (the tolerant schema keeps the type and drops the
 * constraints), x-expected (the text of a validation message).
 */
export type ServiceEvent =
  | PaymentCompleted
  | PaymentFailed
  | PaymentPartial
  | PaymentRefunded
  | PaymentExpired
  | SimulatedEvent

/**
 * failed: a MUST was not met. warning: a SHOULD or MAY was not met. inconclusive: the control, a valid
 * delivery, was rejected, so that the case proves nothing. untested: the case could not be tested.
 */
export type ReportOutcome = 'passed' | 'failed' | 'warning' | 'inconclusive' | 'untested'

/**
 * Advances the sandbox's clock: the body of POST /sandbox/clock. It is not part of the service's interface.
 */
export interface ClockMove {
  /** How far to advance it, in milliseconds. Whatever becomes due in between happens. */
  advance_ms: number
}

/** The request body that registers an endpoint. */
export interface EndpointCreateRequest {
  /**
   * Public HTTPS URL that receives the deliveries. Local and private addresses are not allowed, which the
   * schema cannot express.
   */
  url: string
  /** Names of the events that it receives; all events without it. */
  events?: string[]
  /** Whether it receives events of live payments, test payments, or both. */
  mode?: 'live' | 'test' | 'both'
}

/** The response to a registration: the only response that contains the signing secret. */
export interface EndpointCreateResponse {
  /** Id of the endpoint. */
  id: string
  /**
   * Public HTTPS URL that receives the deliveries. Local and private addresses are not allowed, which the
   * schema cannot express.
   */
  url: string
  /** The signing secret, returned only in this response. */
  secret: string
  /** Names of the events that it receives. */
  events: string[]
  /** Whether it receives events of live payments, test payments, or both. */
  mode: 'live' | 'test' | 'both'
  /** Whether deliveries are sent to it. */
  is_enabled: boolean
  /** When it was created (ISO 8601). */
  created_at: string
}

/** The response to listing endpoints. */
export interface EndpointList {
  /** Every endpoint of the organization. */
  data: Endpoint[]
}

/**
 * A webhook endpoint in lists and lookups. Closed on purpose: it never contains the signing secret. The
 * interface does not name mode for these responses, so it may be absent.
 */
export interface Endpoint {
  /** Id of the endpoint. */
  id: string
  /**
   * Public HTTPS URL that receives the deliveries. Local and private addresses are not allowed, which the
   * schema cannot express.
   */
  url: string
  /** Names of the events that it receives. */
  events: string[]
  /** Whether it receives events of live payments, test payments, or both. */
  mode?: 'live' | 'test' | 'both'
  /** Whether deliveries are sent to it. */
  is_enabled: boolean
  /** The merchant's note, or null. */
  description: string | null
  /** When it was created (ISO 8601). */
  created_at: string
}

/** The body of an error response. Open: the interface does not specify fields beyond these two. */
export interface ErrorBody {
  /** The error message for people. */
  error: string
  /** A stable error code. Authentication errors have MISSING_API_KEY, INVALID_API_KEY or REVOKED_API_KEY. */
  code?: string
}

/**
 * What hookproof listen asks the sandbox for: the body of POST /sandbox/listen. It is not part of the
 * service's interface.
 */
export interface Listen {
  /** The URL of the receiver, as an absolute URL. Without it, the attempts of all deliveries are reported. */
  forward_to?: string
  /** Only these events. Default: all. @maxItems 100 */
  events?: string[]
  /**
   * Header lines to add, each a name and a value. They replace those of the service that have the same name.
   * @maxItems 50
   */
  headers?: [string, string][]
  /** Certificates in PEM to trust for https, besides those of public authorities. */
  ca?: string
  /** Whether any certificate is accepted. */
  insecure?: boolean
  /** How far back to send events that the receiver has not been sent, in milliseconds. Default: none. */
  backfill_ms?: number
  /** Whether the end of each attempt is reported with what was sent. */
  capture?: boolean
}

/** How a mixed-checkout payment was settled. Amount and currency may differ from the top-level fields. */
export interface SettledVia {
  /** Rail code, usually in upper case. */
  rail: string
  amount: Amount
  currency: Currency
}

/**
 * An action on a payment of the sandbox: the body of POST /sandbox/payments/{id}/actions. It is not part of
 * the service's interface.
 */
export interface PaymentAction {
  /**
   * succeed: paid in full. fail: the payment fails. pay_part: a partial amount arrives, by crypto or gift
   * card. accept_short: the merchant accepts an underpayment by crypto. reverse: a completed payment is
   * refunded or charged back. switch_method: the customer switches to another method.
   */
  type: 'succeed' | 'fail' | 'pay_part' | 'accept_short' | 'reverse' | 'switch_method'
  /** The customer's payment method; for succeed, fail, pay_part and switch_method. */
  method?: PaymentMethod
  /**
   * For succeed and fail of test payments: acts like the button Simulate Success or Simulate Failure, so the
   * event has test: true.
   */
  simulated?: boolean
  /** For succeed: how a mixed checkout was settled. */
  settled_via?: SettledVia
  /** For fail: the failure code, provider_error by default. */
  failure_code?: FailureCode
  /** For fail: the message for people. */
  failure_reason?: string
  /** For pay_part: the partial amount. For accept_short: the total amount received. */
  amount?: Amount
  /** For reverse: refund by default. */
  refund_type?: RefundType
  /** Faults to inject into the deliveries. */
  chaos?: {
    [k: string]: unknown
  }
}

/** The metadata that the merchant attached at payment creation, unchanged. */
export interface Metadata {
  [k: string]: string
}

/** The request body that creates a payment. Open: the interface does not list all inputs. */
export interface PaymentCreateRequest {
  amount: Amount
  currency: Currency
  /** Where the customer returns after the checkout. */
  return_url?: string
  /** A URL that receives this payment's events in addition to the registered endpoints. */
  webhook_url?: string
  metadata?: Metadata
}

/** The response to payment creation. Open: fields may be added. */
export interface PaymentCreateResponse {
  id: PaymentId
  /** URL of the hosted checkout. Test keys get a test checkout. */
  checkout_url: string
}

/**
 * A page of payments, newest first. The interface does not specify this response; it is the sandbox's
 * convention.
 */
export interface PaymentList {
  /** The payments on this page. */
  data: Payment[]
  /** Whether there are older payments. To get them, pass the last id of this page as starting_after. */
  has_more: boolean
}

/** The response to resend-webhook. The interface does not specify it; it is the sandbox's convention. */
export interface PaymentResendResponse {
  payment_id: PaymentId
  /** The resent event: the same bytes with a new signature. */
  event: 'payment.completed'
  /** The number of recipients: the payment's webhook_url and each endpoint that currently matches. */
  deliveries: number
}

/**
 * A payment in a lookup. The interface specifies only the id and the fields from creation, so only the id is
 * required and everything else is open.
 */
export interface Payment {
  id: PaymentId
  /** Status of the payment. The interface does not name the statuses before completed, failed or refunded. */
  status?: string
  amount?: Amount
  currency?: Currency
  /** Where the customer returns after the checkout. */
  return_url?: string
  /** A URL that receives this payment's events in addition to the registered endpoints. */
  webhook_url?: string
  /** URL of the hosted checkout. Test keys get a test checkout. */
  checkout_url?: string
  metadata?: Metadata
  livemode?: Livemode
}

/** Why a failure is accepted, and until when. */
export interface KnownFailure {
  /** Why the failure is accepted, for the next reader. */
  reason: string
  /** The last day (UTC) on which the failure is accepted. Without it the entry never expires. */
  expires?: string
}

/** Known failures of a receiver, accepted for now so that CI fails only on new ones. */
export interface Baseline {
  /** Location of this schema, for editors. */
  $schema?: string
  /** The known failures by case id. */
  failures: {
    [k: string]: KnownFailure
  }
  /**
   * The cases that these failures leave inconclusive: the receiver rejects their valid control delivery, too.
   * Accepted only while a known failure remains.
   */
  inconclusive?: string[]
}

/**
 * A delivery byte for byte, as hookproof listen --capture saves it and hookproof send --capture sends it
 * again. It contains the whole signature.
 */
export interface Capture {
  /** When it was sent or received. */
  at: string
  /** The service that sent it, as in --service, where that is known. */
  service?: string
  /** The HTTP method. */
  method: string
  /** The path and the query. */
  path: string
  /** The header lines in order, each a name and a value in Latin-1. @maxItems 2000 */
  headers: [string, string][]
  /** The exact bytes of the body, in base64. */
  body: string
}

/**
 * Configuration of `hookproof check` in hookproof.config.json. Each field is an option of the command in
 * camel case; an option on the command line overrides its field, including lists. Paths are relative to this
 * file, and commands run in its folder. The signing secret is never part of this file.
 */
export interface Config {
  /** Location of this schema, for editors. */
  $schema?: string
  /**
   * The webhook endpoint, http or https. If the command line has another URL, start, observe and
   * observeCommand are ignored.
   */
  url?: string
  /** Name of the environment variable that contains the signing secret. Default: HOOKPROOF_SECRET. */
  secretEnv?: string
  /** File that contains the signing secret; keep it out of the repository. */
  secretFile?: string
  /**
   * File of environment variables, such as .env, with the signing secret; keep it out of the repository.
   * Variables that are set take precedence.
   */
  envFile?: string
  /** Command that starts the receiver; it is stopped afterwards. */
  start?: string
  /** URL where the receiver shows its effects, requested with ?payment_id=. */
  observe?: string
  /** Command that prints the effects of the payment id in its last argument. */
  observeCommand?: string
  /**
   * core: HTTP responses only; full: effects too; durable: the receiver is killed and started again, as by
   * hookproof crash. Default: full if effects are observed, otherwise core.
   */
  profile?: 'core' | 'full' | 'durable'
  /** Whose webhooks the receiver receives. Default: payment-service, that of SPEC.md. */
  service?: 'payment-service' | 'standard-webhooks' | 'stripe' | 'github' | 'slack' | 'shopify'
  /**
   * Version of the contract to test, such as 1.0. Pin it, so that an update of hookproof adds no case.
   * Default: the newest.
   */
  contract?: string
  /** test: every event has livemode false. Default: test. */
  mode?: 'test' | 'live'
  /** The receiver's framework, for code that fixes the failures. Default: as its responses show it. */
  framework?:
    | 'express'
    | 'fastify'
    | 'next'
    | 'nest'
    | 'hono'
    | 'koa'
    | 'flask'
    | 'fastapi'
    | 'django'
    | 'go'
    | 'spring'
    | 'rails'
    | 'sinatra'
    | 'webrick'
    | 'laravel'
    | 'php'
    | 'aspnet'
    | 'axum'
  /** Name of the signature header. Default: X-Service-Signature. */
  signatureHeader?: string
  /**
   * Extra headers for every delivery, as "Name: value". Pass credentials such as Authorization with --header
   * from a secret store instead. Items: One header.
   */
  header?: string[]
  /** File of certificates in PEM to trust for https, besides those of public authorities. */
  ca?: string
  /** Accept any certificate of an https server. Default: false. */
  insecure?: boolean
  /** Cases to run, as globs such as "duplicates/*". Default: all. Items: A glob over case ids. */
  only?: string[]
  /** Cases to skip, as globs. Items: A glob over case ids. */
  skip?: string[]
  /**
   * Seed of the events. A second run with the same seed looks like redeliveries to the receiver. Default:
   * random per run.
   */
  seed?: string
  /** Number of cases that run at the same time. Default: 8. */
  concurrency?: number
  /** Number of deliveries a second, over the entire run. Default: no limit. */
  rate?: number
  /** Seconds to wait for a response. Default: 10. */
  timeout?: number
  /** Seconds within which a delivery must be acknowledged (SPEC.md 6.2). Default: 5. */
  ackWithin?: number
  /** Seconds to wait for effects. Default: 5. */
  wait?: number
  /**
   * Seconds after which a handled event is delivered again, as long as the service retries. Default: it is
   * not.
   */
  redeliverAfter?: number
  /** File of known failures to ignore until fixed or expired. */
  baseline?: string
  /** Number of runs; a case with different verdicts is unstable and fails. Default: 1. */
  repeat?: number
  /**
   * Reports to write: terminal, json, junit, markdown, html or badge; append =file to write to a file.
   * Default: terminal. Items: A format, or a format and a file.
   */
  report?: string[]
}

/**
 * The payment is complete, possibly for less than was ordered: then amount is the amount received and
 * amount_requested the amount ordered.
 */
export interface PaymentCompleted {
  event: 'payment.completed'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: 'completed'
  amount: Amount
  /** The amount ordered, for short payments only. Fulfill for amount, never for this. */
  amount_requested?: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  settled_via?: SettledVia
  livemode?: Livemode
  timestamp: Timestamp
  metadata: Metadata
}

/** The payment failed. */
export interface PaymentFailed {
  event: 'payment.failed'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: 'failed'
  amount: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  settled_via?: SettledVia
  livemode?: Livemode
  timestamp: Timestamp
  failure_code: FailureCode
  failure_reason: FailureReason
  metadata: Metadata
}

/**
 * The customer has paid less than the invoice amount, by crypto or gift card, and may pay more. The interface
 * does not publish which of the three statuses it has, so each is allowed: use event instead.
 */
export interface PaymentPartial {
  event: 'payment.partial'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: PaymentStatus
  amount: Amount
  /**
   * The amount that the customer has paid so far, in the currency of amount. It is not credited, so do not
   * fulfill anything.
   */
  amount_received: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  settled_via?: SettledVia
  livemode?: Livemode
  timestamp: Timestamp
  metadata: Metadata
}

/** A completed payment was reversed. It may arrive before the payment.completed that it reverses. */
export interface PaymentRefunded {
  event: 'payment.refunded'
  type: RefundType
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: 'refunded'
  amount: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  settled_via?: SettledVia
  livemode?: Livemode
  timestamp: Timestamp
  metadata: Metadata
}

/**
 * A partly paid gift-card order under $2 has expired. The interface does not publish which of the three
 * statuses it has, so each is allowed: use event instead.
 */
export interface PaymentExpired {
  event: 'payment.expired'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: PaymentStatus
  amount: Amount
  /**
   * The amount that the customer has paid so far, in the currency of amount. It is not credited, so do not
   * fulfill anything.
   */
  amount_received: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  settled_via?: SettledVia
  livemode?: Livemode
  timestamp: Timestamp
  metadata: Metadata
}

/** Simulate Success on the test checkout, with the full body. */
export interface SimulatedCompleted {
  event: 'payment.completed'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: 'completed'
  amount: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  /** A simulated event is never live. */
  livemode: false
  timestamp: Timestamp
  metadata: Metadata
  /** Marks an event from the test checkout. */
  test: true
}

/** Simulate Failure on the test checkout, with the full body. */
export interface SimulatedFailed {
  event: 'payment.failed'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: 'failed'
  amount: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  /** A simulated event is never live. */
  livemode: false
  timestamp: Timestamp
  failure_code?: FailureCode
  failure_reason: SimulatedFailureReason
  metadata: Metadata
  /** Marks an event from the test checkout. */
  test: true
}

/**
 * Simulate Success with only the fields that the interface names. It has no payment_id. It may also have no
 * event: then the event is payment. followed by the status.
 */
export interface SimulatedSparseCompleted {
  event?: 'payment.completed'
  id: PaymentId
  status: 'completed'
  amount: Amount
  currency: Currency
  /** A simulated event is never live. */
  livemode: false
  metadata: Metadata
  /** Marks an event from the test checkout. */
  test: true
}

/**
 * Simulate Failure with only the fields that the interface names. It has no payment_id. It may also have no
 * event: then the event is payment. followed by the status.
 */
export interface SimulatedSparseFailed {
  event?: 'payment.failed'
  id: PaymentId
  status: 'failed'
  amount: Amount
  currency: Currency
  /** A simulated event is never live. */
  livemode: false
  failure_reason?: SimulatedFailureReason
  metadata: Metadata
  /** Marks an event from the test checkout. */
  test: true
}

/**
 * How often a receiver of another service than the payment service has handled one delivery. For an unknown
 * one it is 0.
 */
export interface Handled {
  /** How often the delivery was handled: its work was done, or was given to what does it. */
  handled: number
}

/** One business effect. */
export interface Effect {
  /** The event that caused it. */
  event: string
  /** fulfilled: goods or credit were given. reversed: they were taken back. */
  effect: 'fulfilled' | 'reversed'
  /** The amount as decimal text. */
  amount: Amount
  currency: Currency
  /**
   * Whether the payment was live. An optional addition of ours, to distinguish test effects from live ones.
   */
  livemode?: boolean
}

/** The effects that a receiver reports for one payment. An unknown payment has an empty list. */
export interface Observation {
  /** One entry for each business effect, oldest first. */
  effects: Effect[]
}

/** What a run of the durable profile did. Absent in other profiles. */
export interface ReportCrash {
  /** How many times the receiver was killed under load and its payments were checked. */
  rounds: number
  /** How many times it was killed, also during a start. */
  kills: number
  /** The payments of all rounds. */
  payments: number
  /** Those of which an event was acknowledged before the receiver was started again. */
  acknowledged: number
  /** Those that were acknowledged before a crash and had no effect after it. */
  lost: number
  /**
   * Those that were acknowledged only after the restart and had no effect. Absent in reports of older
   * versions.
   */
  neverHandled?: number
  /** Those that had an effect more than once. */
  doubled: number
  /** How long the receiver took from its start until it accepted a delivery, in milliseconds. */
  startMs: number
  /** How many of the traced acknowledgments were written after a sync of the store. Null without a trace. */
  synced: null | ReportSynced
}

/** The result of tracing the receiver's syncs. */
export interface ReportSynced {
  /** The acknowledgments that followed a sync of the store. */
  before: number
  /** All traced acknowledgments. */
  of: number
}

/** A cause that several cases have in common. */
export interface ReportCause {
  /** Stable code of the cause, for programs. */
  code: string
  /** What the receiver does wrong, in one sentence. */
  sentence: string
  /** What to change, in one or two sentences. */
  fix: string
  /** Present when the fix is to verify the raw body and the code of the cause does not say so. */
  rawBody?: true
  /** Ids of the cases that it explains and no earlier cause does. */
  cases: string[]
  /** Address of the page of the cause, with the framework if it is known. */
  docsUrl?: string
}

/** A case that was not part of the run. */
export interface ReportExcluded {
  /** Id of the case. */
  case: string
  /** Stable: what the case needs that the run did not have. */
  code:
    | 'full_profile'
    | 'live_mode'
    | 'test_mode'
    | 'redeliver_after'
    | 'later_version'
    | 'secret_from_elsewhere'
    | 'rotation_not_asked'
  /** The same in words. */
  reason: string
}

/** The receiver that was graded. */
export interface ReportTarget {
  /** URL that received the deliveries. */
  url: string
  /** True when the run started the receiver itself. */
  started: boolean
}

/** Number of cases by outcome. */
export interface ReportCounts {
  /** Cases that passed. */
  passed: number
  /** MUST cases that failed. */
  failed: number
  /** SHOULD and MAY cases that were not met. */
  warning: number
  /** Cases whose control, a valid delivery, was rejected. */
  inconclusive: number
  /** Cases that could not be tested. */
  untested: number
}

/** Patterns that selected the cases. */
export interface ReportSelection {
  /** Patterns of the cases to run. */
  only: string[]
  /** Patterns of the cases to skip. */
  skip: string[]
}

/** One expectation that was not met. */
export interface ReportProblem {
  /** The expectation. */
  expected: string
  /** What the receiver did instead. */
  received: string
  /**
   * The first 300 bytes of the response that shows it, on one line. Absent when there is none or it is empty.
   */
  body?: string
}

/** The bytes sent. base64 is null when text contains them all; both are shortened when truncated is true. */
export interface DeliveredBody {
  /** The bytes of a body that is not text, otherwise null. */
  base64: string | null
  /** The body as text, null when it is not text. */
  text: string | null
  /** Length in bytes. */
  bytes: number
  /** Whether the report contains only the beginning. */
  truncated: boolean
}

/** The request. */
export interface ReportDelivery {
  /** Event name, null when the body has none. */
  event: string | null
  /** Payment id, null when the body has none. */
  paymentId: string | null
  /** How the delivery differs from a valid one, null for a valid delivery. */
  change: string | null
  /** HTTP method. */
  method: string
  /** Path and query of the request. */
  path: string
  /** Header lines in wire order, each a name and a value. Signatures are shortened. */
  headers: [string, string][]
  body: DeliveredBody
  /** What was unusual about the way the request was written to the wire, or null. */
  transport: string | null
}

/** The beginning of the response body. */
export interface AnswerBody {
  /** The body as text. */
  text: string
  /** Length in bytes. */
  bytes: number
  /** Whether the report contains only the beginning. */
  truncated: boolean
}

/** The response. */
export interface ReportAnswer {
  /** HTTP status. */
  status: number
  /** Header lines in wire order, each a name and a value. Signatures are shortened. */
  headers: [string, string][]
  body: AnswerBody
  /** Milliseconds from the first byte sent to the head of the response. */
  ms: number
}

/** One delivery and its response. */
export interface ReportExchange {
  /** The purpose of this delivery. */
  label: string
  /**
   * probe: the delivery under test. control: the same delivery without the change, which is valid. context:
   * any other delivery.
   */
  role: 'probe' | 'control' | 'context'
  delivery: ReportDelivery
  /** The response, null without one. */
  answer: ReportAnswer | null
  /** Why there is no response, or null. */
  error: string | null
  /**
   * The same for programs, for example refused, reset or timeout; absent where a case broke the connection
   * off as planned.
   */
  errorCode?: string
}

/** The sentence of SPEC.md, or of another contract, that a case tests. */
export interface ReportSpec {
  /** Number of the section or sentence. */
  number: string
  /** The sentence, word for word. */
  sentence: string
  /** The contract that has it. Absent for SPEC.md. */
  contract?: string
  /** Why that contract requires it: what the service states and where, or the harm. Absent for SPEC.md. */
  source?: string
}

/** The verdict on one case. */
export interface ReportVerdict {
  /** Id of the case. */
  case: string
  /** Id of its section. */
  section: string
  /** The case in a few words. */
  title: string
  /** The requirement level of the sentence. */
  level: 'MUST' | 'SHOULD' | 'MAY'
  outcome: ReportOutcome
  /** What the failure puts at risk (security, money or protocol), or null. */
  severity: 'security' | 'money' | 'protocol' | null
  spec: ReportSpec
  /** Duration of the case in milliseconds. */
  durationMs: number
  /** Every expectation that was not met. */
  problems: ReportProblem[]
  /** Why the case was not tested or is inconclusive, or null. */
  reason: string | null
  /** Every delivery, in the order sent. */
  exchanges: ReportExchange[]
  /** What the failure does to the merchant. */
  impact: string
  /** How to fix the failure. */
  fix: string
  /** A command that reproduces the failure, or null. */
  reproduce: string | null
  /** Address of the documentation of the case. */
  docsUrl?: string
}

/** Present after repeated runs. The report is that of the worst run. */
export interface ReportRuns {
  /** Number of runs. */
  count: number
  /** Cases whose outcomes differ between runs. */
  unstable: ReportUnstable[]
}

/** A case with different outcomes. */
export interface ReportUnstable {
  /** Id of the case. */
  case: string
  /** Its outcome in each run, in order. */
  outcomes: ReportOutcome[]
}

/** Present when the run was compared with a baseline of known failures. It changes no verdict. */
export interface ReportBaseline {
  /** Known failures, listed in the baseline. */
  known: ReportKnownFailure[]
  /** New failures, not listed in the baseline. */
  new: string[]
  /** Stale entries: the case no longer fails. */
  stale: string[]
  /** Expired entries: the case still fails. */
  expired: string[]
  /** Cases that the known failures leave inconclusive, listed in the baseline. */
  inconclusive: string[]
  /** MUST cases without a result that the baseline does not list. */
  undecided: string[]
}

/** A known failure of the baseline. */
export interface ReportKnownFailure {
  /** Id of the case. */
  case: string
  /** Why the failure is accepted. */
  reason: string
}

/** The report of a conformance run, the source of every other format. */
export interface ConformanceReport {
  /** Version of hookproof that wrote the report. */
  hookproof: string
  /** When the run started (ISO 8601). */
  startedAt: string
  /** Duration of the run in milliseconds. */
  durationMs: number
  target: ReportTarget
  /**
   * The part of the contract that was tested: core needs responses only, full also effects, durable also a
   * receiver that is killed.
   */
  profile: 'core' | 'full' | 'durable'
  /** The version of the contract that was tested. */
  contract: string
  /** The service whose contract was tested. Absent for the payment service of SPEC.md. */
  service?: string
  /** Whether the run sent test or live events. */
  mode: 'test' | 'live'
  /**
   * Seed of the events; the same seed sends the same events. Runs of more than one case have their own
   * payment ids.
   */
  seed: string
  /** The tolerance window for timestamps in seconds. */
  toleranceSeconds: number
  /** incomplete: no required case failed, but some required case gave no result. */
  conclusion: 'conformant' | 'not-conformant' | 'incomplete'
  /**
   * The first line of the report: how many failures have which cause. Without a cause a remark about the
   * receiver's clock, or null.
   */
  diagnosis: string | null
  /**
   * The first line without the sentences of its causes, such as `20 failures, 2 causes.`: only where there
   * are several.
   */
  diagnosisInBrief?: string
  /**
   * The causes behind the failures, the one that explains most first. Empty when nothing failed or no cause
   * fits everything that was observed.
   */
  causes?: ReportCause[]
  /**
   * The receiver's framework, named by the user, shown by its responses, or the most common one of the
   * language that the cause shows. Present when code in that framework helps.
   */
  framework?:
    | 'express'
    | 'fastify'
    | 'next'
    | 'nest'
    | 'hono'
    | 'koa'
    | 'flask'
    | 'fastapi'
    | 'django'
    | 'go'
    | 'spring'
    | 'rails'
    | 'sinatra'
    | 'webrick'
    | 'laravel'
    | 'php'
    | 'aspnet'
    | 'axum'
  /**
   * Present when the cause shows only the language: the other frameworks of that language, and framework is
   * its most common one.
   */
  otherFrameworks?: string[]
  /** The receiver's clock minus the clock of this machine in seconds, null when unknown. */
  clockSkewSeconds: number | null
  /** Present when a signal ended the run before every case was judged: such a run has no grade. */
  interrupted?: true
  /**
   * Present when the run ended by itself before every case was judged: no valid delivery of its first section
   * was accepted, as with a wrong secret. Such a run has no grade.
   */
  endedEarly?: 'nothing_accepted'
  /**
   * How long this machine was too busy to run the suite or the receiver, in milliseconds; the times of
   * responses and effects exclude it. Present from 1,000 ms.
   */
  stalledMs?: number
  counts: ReportCounts
  selection: ReportSelection
  /** Cases excluded by the profile or the mode, with the reason. They do not affect the conclusion. */
  excluded: ReportExcluded[]
  /** One verdict for each case, in the order of the catalogue. */
  verdicts: ReportVerdict[]
  runs?: ReportRuns
  baseline?: ReportBaseline
  crash?: ReportCrash
}

/** The delivery is valid. */
export interface VectorAccepted {
  outcome: 'accepted'
}

/** The delivery is refused, with this status and code. */
export interface VectorRefused {
  outcome: 'refused'
  status: 400 | 401
  code:
    | 'header_missing'
    | 'header_malformed'
    | 't_missing'
    | 't_duplicated'
    | 't_malformed'
    | 'v1_missing'
    | 'timestamp_too_old'
    | 'timestamp_in_future'
    | 'signature_mismatch'
    | 'body_not_json'
    | 'body_not_event'
}

/**
 * A test case for a verifier of the signature header: literal bytes, a fixed clock, and the only correct
 * outcome.
 */
export interface SignatureVector {
  /** Unique name of the vector. */
  name: string
  /** The signing secret; its UTF-8 bytes, including the prefix, are the key. */
  secret?: string
  /** Several signing secrets that are valid at the same time, during rotation. */
  secrets?: string[]
  /** The greatest difference between now and t that is still accepted, in seconds. */
  tolerance_seconds: number
  /** The receiver's clock in Unix seconds. It may have a fraction, which is cut off. */
  now: number
  /** The exact bytes of the body. */
  body_base64: string
  /** The value of the signature header: null without one, a list for several header lines. */
  header: string | null | string[]
  /** The only correct outcome. */
  expect: VectorAccepted | VectorRefused
  /** The bug that this vector catches, in one sentence. */
  catches: string
}
