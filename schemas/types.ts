// Generated from schemas/*.json by scripts/tools/schemas.ts: do not edit.

/**
 * The method the customer paid with in the end.
 */
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

/**
 * Why the payment failed: the stable field to branch on. New codes may appear, so keep a default branch.
 */
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

/**
 * chargeback: taken back against the merchant's will. refund: given back by choice.
 */
export type RefundType = 'chargeback' | 'refund'

/**
 * Money as decimal text: never a JSON number, no sign, no exponent, no superfluous leading zero. Zero is allowed: an unpaid crypto order can be short by all of it.
 */
export type Amount = string

/**
 * The currency code as given at payment creation: usually three letters, longer for some crypto assets.
 */
export type Currency = string

/**
 * The root session id that payment creation returned. It stays the same when the customer switches method, and also on refunds.
 */
export type PaymentId = string

/**
 * True for payments made with a live key, false with a test key. Older samples lack it.
 */
export type Livemode = boolean

/**
 * What the test checkout sends: the full body, or the sparse one.
 */
export type SimulatedEvent =
  | SimulatedCompleted
  | SimulatedFailed
  | SimulatedSparseCompleted
  | SimulatedSparseFailed

/**
 * A rail code that names no brand. The list of codes is not published, so only the spelling is held.
 */
export type Processor = string

/**
 * When the event was emitted (ISO 8601). It has no part in the signature, and a redelivery may carry another one.
 */
export type Timestamp = string

/**
 * The same for people to read. The wording may change at any time.
 */
export type FailureReason = string

/**
 * Status of the payment. Events named partial and expired have no status of their own name.
 */
export type PaymentStatus = 'completed' | 'failed' | 'refunded'

/**
 * The fixed text of a simulated failure.
 */
export type SimulatedFailureReason = 'Simulated failure'

/**
 * The body of a delivery, read strictly: what the payment service sends and nothing else. One branch for each event name and one for simulated events. Written by hand; event.tolerant.json and types.ts are generated from it. Three ids (id, payment_id, order_id) are always equal, which JSON Schema cannot say. Keywords of ours, which other validators ignore: x-open (the tolerant reading keeps the type and drops the limits), x-expected (the words of a validation message).
 */
export type ServiceEvent =
  | PaymentCompleted
  | PaymentFailed
  | PaymentPartial
  | PaymentRefunded
  | PaymentExpired
  | SimulatedEvent

/**
 * failed is for MUST cases; a SHOULD or MAY case that fails is warning.
 */
export type ReportOutcome = 'passed' | 'failed' | 'warning' | 'untested'

/**
 * Advances the sandbox's clock: the body of POST /sandbox/clock. It is not part of the service's interface.
 */
export interface ClockMove {
  /**
   * How far to advance it, in milliseconds. Whatever becomes due in between happens.
   */
  advance_ms: number
}

/**
 * The request body that registers an endpoint.
 */
export interface EndpointCreateRequest {
  /**
   * Public HTTPS URL that receives the deliveries. Local and private addresses are not allowed, which the schema cannot express.
   */
  url: string
  /**
   * Names of the events that it receives.
   */
  events?: string[]
  /**
   * Whether it receives events of live payments, test payments, or both.
   */
  mode?: 'live' | 'test' | 'both'
}

/**
 * The response to a registration: the only response that contains the signing secret.
 */
export interface EndpointCreateResponse {
  /**
   * Id of the endpoint.
   */
  id: string
  /**
   * Public HTTPS URL that receives the deliveries. Local and private addresses are not allowed, which the schema cannot express.
   */
  url: string
  /**
   * The signing secret, returned only in this response.
   */
  secret: string
  /**
   * Names of the events that it receives.
   */
  events: string[]
  /**
   * Whether it receives events of live payments, test payments, or both.
   */
  mode: 'live' | 'test' | 'both'
  /**
   * Whether deliveries are sent to it.
   */
  is_enabled: boolean
  /**
   * When it was created (ISO 8601).
   */
  created_at: string
}

/**
 * The response to listing endpoints.
 */
export interface EndpointList {
  /**
   * Every endpoint of the organization.
   */
  data: Endpoint[]
}

/**
 * A webhook endpoint in lists and lookups. Closed on purpose: it never contains the signing secret. The interface does not name mode for these responses, so it may be absent.
 */
export interface Endpoint {
  /**
   * Id of the endpoint.
   */
  id: string
  /**
   * Public HTTPS URL that receives the deliveries. Local and private addresses are not allowed, which the schema cannot express.
   */
  url: string
  /**
   * Names of the events that it receives.
   */
  events: string[]
  /**
   * Whether it receives events of live payments, test payments, or both.
   */
  mode?: 'live' | 'test' | 'both'
  /**
   * Whether deliveries are sent to it.
   */
  is_enabled: boolean
  /**
   * The merchant's note, or null.
   */
  description: string | null
  /**
   * When it was created (ISO 8601).
   */
  created_at: string
}

/**
 * The body of an error response. Open: the interface does not specify fields beyond these two.
 */
export interface ErrorBody {
  /**
   * The error message for people.
   */
  error: string
  /**
   * A stable error code. Authentication errors have MISSING_API_KEY, INVALID_API_KEY or REVOKED_API_KEY.
   */
  code?: string
}

/**
 * How a mixed-checkout payment was settled. Amount and currency may differ from those at the top level.
 */
export interface SettledVia {
  /**
   * Rail code, upper-case as a rule.
   */
  rail: string
  amount: Amount
  currency: Currency
}

/**
 * An action on a payment of the sandbox: the body of POST /sandbox/payments/{id}/actions. It is not part of the service's interface.
 */
export interface PaymentAction {
  /**
   * succeed: paid in full. fail: the payment fails. pay_part: a partial amount arrives, by crypto or gift card. accept_short: the merchant accepts an underpayment by crypto. reverse: a completed payment is refunded or charged back. switch_method: the customer switches to another method.
   */
  type: 'succeed' | 'fail' | 'pay_part' | 'accept_short' | 'reverse' | 'switch_method'
  /**
   * The customer's payment method; for succeed, fail, pay_part and switch_method.
   */
  method?: PaymentMethod
  /**
   * For succeed and fail of test payments: acts like the button Simulate Success or Simulate Failure, so the event has test: true.
   */
  simulated?: boolean
  /**
   * For succeed: how a mixed checkout was settled.
   */
  settled_via?: SettledVia
  /**
   * For fail: the failure code, provider_error by default.
   */
  failure_code?: FailureCode
  /**
   * For fail: the message for people.
   */
  failure_reason?: string
  /**
   * For pay_part: the partial amount. For accept_short: the total amount received.
   */
  amount?: Amount
  /**
   * For reverse: refund by default.
   */
  refund_type?: RefundType
  /**
   * Faults to inject into the deliveries.
   */
  chaos?: {
    [k: string]: unknown
  }
}

/**
 * What the merchant attached at payment creation, handed back unchanged.
 */
export interface Metadata {
  [k: string]: string
}

/**
 * The request body that creates a payment. Open: the interface does not list all inputs.
 */
export interface PaymentCreateRequest {
  amount: Amount
  currency: Currency
  /**
   * Where the customer returns after the checkout.
   */
  return_url?: string
  /**
   * A URL that receives this payment's events in addition to the registered endpoints.
   */
  webhook_url?: string
  metadata?: Metadata
}

/**
 * The response to payment creation. Open: fields may be added.
 */
export interface PaymentCreateResponse {
  id: PaymentId
  /**
   * URL of the hosted checkout. Test keys get a test checkout.
   */
  checkout_url: string
}

/**
 * A page of payments, newest first. The interface does not specify this response; it is the sandbox's convention.
 */
export interface PaymentList {
  /**
   * The payments on this page.
   */
  data: Payment[]
  /**
   * Whether there are older payments. To get them, pass the last id of this page as starting_after.
   */
  has_more: boolean
}

/**
 * The response to resend-webhook. The interface does not specify it; it is the sandbox's convention.
 */
export interface PaymentResendResponse {
  payment_id: PaymentId
  /**
   * The resent event: the same bytes with a new signature.
   */
  event: 'payment.completed'
  /**
   * The number of recipients: the payment's webhook_url and each endpoint that currently matches.
   */
  deliveries: number
}

/**
 * A payment in a lookup. The interface specifies only the id and the fields from creation, so only the id is required and everything else is open.
 */
export interface Payment {
  id: PaymentId
  /**
   * Status of the payment. The interface does not name the statuses before completed, failed or refunded.
   */
  status?: string
  amount?: Amount
  currency?: Currency
  /**
   * Where the customer returns after the checkout.
   */
  return_url?: string
  /**
   * A URL that receives this payment's events in addition to the registered endpoints.
   */
  webhook_url?: string
  /**
   * URL of the hosted checkout. Test keys get a test checkout.
   */
  checkout_url?: string
  metadata?: Metadata
  livemode?: Livemode
}

/**
 * Why a failure is borne, and until when.
 */
export interface KnownFailure {
  /**
   * Why it is borne, for whoever reads this next.
   */
  reason: string
  /**
   * The last day on which it is borne (UTC). Without it there is none.
   */
  expires?: string
}

/**
 * Failures of a receiver that are known and borne for now, so that CI fails on new ones only.
 */
export interface Baseline {
  /**
   * Where this schema stands, for editors.
   */
  $schema?: string
  /**
   * One entry for each case that is known to fail, by its id.
   */
  failures: {
    [k: string]: KnownFailure
  }
}

/**
 * What `hookproof check` is to do: hookproof.config.json. Each field has the name of an option of the command in camel case; an option that is given overrides its field, lists too. Relative paths are relative to this file, and commands run in its folder. The signing secret never stands here.
 */
export interface Config {
  /**
   * Where this schema stands, for editors.
   */
  $schema?: string
  /**
   * The webhook endpoint, http or https. Where the command names another, start, observe and observeCommand do not count.
   */
  url?: string
  /**
   * Name of the environment variable that holds the signing secret. Default HOOKPROOF_SECRET.
   */
  secretEnv?: string
  /**
   * File that holds the signing secret; keep it out of the repository.
   */
  secretFile?: string
  /**
   * Command that starts the receiver; it is stopped afterwards.
   */
  start?: string
  /**
   * Where the receiver shows its effects, asked with ?payment_id=.
   */
  observe?: string
  /**
   * Command that prints the effects of the payment id given last.
   */
  observeCommand?: string
  /**
   * core: HTTP answers; full: effects too. Default: full if observed, else core.
   */
  profile?: 'core' | 'full'
  /**
   * test: every event has livemode false. Default test.
   */
  mode?: 'test' | 'live'
  /**
   * Name of the signature header. Default X-Service-Signature.
   */
  signatureHeader?: string
  /**
   * Further header lines for every delivery, as "Name: value". A line that opens a door, such as Authorization, is better given by --header from a secret store.
   *
   * Items: One header line.
   */
  header?: string[]
  /**
   * Cases to run, by glob, such as "duplicates/*". Default: all.
   *
   * Items: A glob over the ids of cases.
   */
  only?: string[]
  /**
   * Cases to leave out, by glob.
   *
   * Items: A glob over the ids of cases.
   */
  skip?: string[]
  /**
   * Seed of the events. A receiver takes a second run with the same one for redeliveries. Default: drawn anew for each run.
   */
  seed?: string
  /**
   * How many cases send at once. Default 8.
   */
  concurrency?: number
  /**
   * How long an answer is waited for, in seconds. Default 10.
   */
  timeout?: number
  /**
   * How long an acknowledgement may take, in seconds (SPEC.md 6.2). Default 5.
   */
  ackWithin?: number
  /**
   * How long effects are waited for, in seconds. Default 5.
   */
  wait?: number
  /**
   * File of known failures, which do not count until they are mended or expire.
   */
  baseline?: string
  /**
   * How many times to run; a verdict that differs is unstable, and fails. Default 1.
   */
  repeat?: number
  /**
   * Reports to write: terminal, json, junit, markdown, html or badge, with =file to write to a file. Default: terminal.
   *
   * Items: A format, or a format and a file.
   */
  report?: string[]
}

/**
 * The payment is complete, perhaps for less than was ordered: then amount is what came in and amount_requested what was ordered.
 */
export interface PaymentCompleted {
  event: 'payment.completed'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: 'completed'
  amount: Amount
  /**
   * The amount first ordered, on a short payment only. Fulfil for amount, never for this.
   */
  amount_requested?: Amount
  currency: Currency
  payment_method: PaymentMethod
  processor: Processor
  settled_via?: SettledVia
  livemode?: Livemode
  timestamp: Timestamp
  metadata: Metadata
}

/**
 * The payment failed.
 */
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
 * The customer has paid less than the invoice expected, by crypto or gift card, and may pay more. Which of the three statuses it carries is not published, so each is allowed: go by event.
 */
export interface PaymentPartial {
  event: 'payment.partial'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: PaymentStatus
  amount: Amount
  /**
   * What the customer has paid so far, in the currency of amount. It is not credited: fulfil nothing on it.
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

/**
 * A completed payment was reversed. May arrive before the payment.completed it reverses.
 */
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
 * A part-paid gift-card order under $2 has come to its end. Which of the three statuses it carries is not published, so each is allowed: go by event.
 */
export interface PaymentExpired {
  event: 'payment.expired'
  id: PaymentId
  payment_id: PaymentId
  order_id: PaymentId
  status: PaymentStatus
  amount: Amount
  /**
   * What the customer has paid so far, in the currency of amount. It is not credited: fulfil nothing on it.
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

/**
 * Simulate Success on the test checkout, the full body.
 */
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
  /**
   * A simulated event is never live.
   */
  livemode: false
  timestamp: Timestamp
  metadata: Metadata
  /**
   * Marks an event from the test checkout.
   */
  test: true
}

/**
 * Simulate Failure on the test checkout, the full body.
 */
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
  /**
   * A simulated event is never live.
   */
  livemode: false
  timestamp: Timestamp
  failure_code?: FailureCode
  failure_reason: SimulatedFailureReason
  metadata: Metadata
  /**
   * Marks an event from the test checkout.
   */
  test: true
}

/**
 * Simulate Success with only the fields that the interface names. It has no payment_id, and event is not among those names either: where it is absent, read payment. and the status.
 */
export interface SimulatedSparseCompleted {
  event?: 'payment.completed'
  id: PaymentId
  status: 'completed'
  amount: Amount
  currency: Currency
  /**
   * A simulated event is never live.
   */
  livemode: false
  metadata: Metadata
  /**
   * Marks an event from the test checkout.
   */
  test: true
}

/**
 * Simulate Failure with only the fields that the interface names. It has no payment_id, and event is not among those names either: where it is absent, read payment. and the status.
 */
export interface SimulatedSparseFailed {
  event?: 'payment.failed'
  id: PaymentId
  status: 'failed'
  amount: Amount
  currency: Currency
  /**
   * A simulated event is never live.
   */
  livemode: false
  failure_reason?: SimulatedFailureReason
  metadata: Metadata
  /**
   * Marks an event from the test checkout.
   */
  test: true
}

/**
 * One thing done for the merchant's business.
 */
export interface Effect {
  /**
   * The event that caused it.
   */
  event: string
  /**
   * fulfilled: goods or credit were given. reversed: they were taken back.
   */
  effect: 'fulfilled' | 'reversed'
  /**
   * For how much, as decimal text.
   */
  amount: Amount
  currency: Currency
  /**
   * Whether the payment was live. Our addition, optional: it tells test effects from live ones.
   */
  livemode?: boolean
}

/**
 * What a receiver says it has done about one payment. An unknown payment has an empty list.
 */
export interface Observation {
  /**
   * One entry for each business effect, oldest first.
   */
  effects: Effect[]
}

/**
 * A case that was not part of the run.
 */
export interface ReportExcluded {
  /**
   * Id of the case.
   */
  case: string
  /**
   * Why it was left out.
   */
  reason: string
}

/**
 * What was graded.
 */
export interface ReportTarget {
  /**
   * Address the deliveries went to.
   */
  url: string
  /**
   * True where the receiver that comes with hookproof was started and graded.
   */
  started: boolean
}

/**
 * How many cases had which outcome.
 */
export interface ReportCounts {
  /**
   * Cases passed.
   */
  passed: number
  /**
   * MUST cases failed.
   */
  failed: number
  /**
   * SHOULD and MAY cases failed.
   */
  warning: number
  /**
   * Cases that could not be tested.
   */
  untested: number
}

/**
 * Patterns that narrowed the catalogue.
 */
export interface ReportSelection {
  /**
   * Patterns kept.
   */
  only: string[]
  /**
   * Patterns left out.
   */
  skip: string[]
}

/**
 * One expectation that was not met.
 */
export interface ReportProblem {
  /**
   * What was expected.
   */
  expected: string
  /**
   * What came instead.
   */
  received: string
}

/**
 * The bytes sent. base64 is null when text gives them in full; both are cut when truncated is true.
 */
export interface DeliveredBody {
  /**
   * The bytes, for a body that is not text.
   */
  base64: string | null
  /**
   * The body as text, null when it is not text.
   */
  text: string | null
  /**
   * Length in bytes.
   */
  bytes: number
  /**
   * Whether the report shows only its beginning.
   */
  truncated: boolean
}

/**
 * What was sent.
 */
export interface ReportDelivery {
  /**
   * Event name, null when the body has none.
   */
  event: string | null
  /**
   * Payment id, null when the body has none.
   */
  paymentId: string | null
  /**
   * How the delivery departs from a good one, null for a good one.
   */
  change: string | null
  /**
   * HTTP method.
   */
  method: string
  /**
   * Path and query of the request.
   */
  path: string
  /**
   * Header lines in the order of the wire, each a name and a value. Signatures stand here shortened.
   */
  headers: [string, string][]
  body: DeliveredBody
  /**
   * What was unusual about the way it was written to the wire, or null.
   */
  transport: string | null
}

/**
 * The beginning of the answer's body.
 */
export interface AnswerBody {
  /**
   * As text.
   */
  text: string
  /**
   * Length in bytes.
   */
  bytes: number
  /**
   * Whether the report shows only its beginning.
   */
  truncated: boolean
}

/**
 * What came back.
 */
export interface ReportAnswer {
  /**
   * HTTP status.
   */
  status: number
  /**
   * Header lines in the order of the wire, each a name and a value. Signatures stand here shortened.
   */
  headers: [string, string][]
  body: AnswerBody
  /**
   * Milliseconds from the first byte sent to the last received.
   */
  ms: number
}

/**
 * One delivery and its answer.
 */
export interface ReportExchange {
  /**
   * What this delivery is for.
   */
  label: string
  /**
   * probe: the delivery under test. control: the same without the change. context: anything around them.
   */
  role: 'probe' | 'control' | 'context'
  delivery: ReportDelivery
  /**
   * What came back, null when nothing did.
   */
  answer: ReportAnswer | null
  /**
   * Why nothing came back, or null.
   */
  error: string | null
}

/**
 * The sentence of SPEC.md behind a case.
 */
export interface ReportSpec {
  /**
   * Number of the section or sentence.
   */
  number: string
  /**
   * The sentence as it stands there.
   */
  sentence: string
}

/**
 * What became of one case.
 */
export interface ReportVerdict {
  /**
   * Id of the case.
   */
  case: string
  /**
   * Id of its section.
   */
  section: string
  /**
   * The case in a few words.
   */
  title: string
  /**
   * The keyword of the sentence.
   */
  level: 'MUST' | 'SHOULD' | 'MAY'
  outcome: ReportOutcome
  /**
   * What a failure would touch first, or null.
   */
  severity: 'security' | 'money' | 'protocol' | null
  spec: ReportSpec
  /**
   * Milliseconds spent on the case.
   */
  durationMs: number
  /**
   * Every expectation that was not met.
   */
  problems: ReportProblem[]
  /**
   * Why the case is untested, or null.
   */
  reason: string | null
  /**
   * Every delivery in the order it was sent.
   */
  exchanges: ReportExchange[]
  /**
   * What a failure means for the merchant.
   */
  impact: string
  /**
   * How to mend it.
   */
  fix: string
  /**
   * A command that fires the delivery again, or null.
   */
  reproduce: string | null
}

/**
 * Set when the cases were run several times. The report is then that of the worst run.
 */
export interface ReportRuns {
  /**
   * How many runs there were.
   */
  count: number
  /**
   * Cases whose verdicts differ between the runs.
   */
  unstable: ReportUnstable[]
}

/**
 * A case on which the runs do not agree.
 */
export interface ReportUnstable {
  /**
   * Id of the case.
   */
  case: string
  /**
   * Its outcome in each run, in their order.
   */
  outcomes: ReportOutcome[]
}

/**
 * Set when the run was held against a baseline of known failures. It changes no verdict.
 */
export interface ReportBaseline {
  /**
   * Failures that the baseline bears.
   */
  known: ReportKnownFailure[]
  /**
   * Failures that it does not name.
   */
  new: string[]
  /**
   * Entries whose case no longer fails.
   */
  stale: string[]
  /**
   * Entries whose last day is over, and whose case still fails.
   */
  expired: string[]
}

/**
 * A failure that the baseline bears.
 */
export interface ReportKnownFailure {
  /**
   * Id of the case.
   */
  case: string
  /**
   * Why it is borne.
   */
  reason: string
}

/**
 * The report of one conformance run, from which every other format is made.
 */
export interface ConformanceReport {
  /**
   * Version of hookproof that wrote the report.
   */
  hookproof: string
  /**
   * When the run began (ISO 8601).
   */
  startedAt: string
  /**
   * Milliseconds the run took.
   */
  durationMs: number
  target: ReportTarget
  /**
   * Which part of the contract was tested.
   */
  profile: 'core' | 'full'
  /**
   * Whether the events sent were test or live ones.
   */
  mode: 'test' | 'live'
  /**
   * Seed of the events; the same seed sends the same events.
   */
  seed: string
  /**
   * The replay window assumed, in seconds.
   */
  toleranceSeconds: number
  /**
   * incomplete: a MUST of the profile could not be tested, and none failed.
   */
  conclusion: 'conformant' | 'not-conformant' | 'incomplete'
  /**
   * One line on a cause common to all failures, such as a clock that is wrong; or null.
   */
  diagnosis: string | null
  /**
   * Receiver's clock minus ours in seconds, null when unknown.
   */
  clockSkewSeconds: number | null
  counts: ReportCounts
  selection: ReportSelection
  /**
   * Cases that lie outside the profile or the mode, with the reason. They are no part of the conclusion.
   */
  excluded: ReportExcluded[]
  /**
   * One for each case, in the order of the catalogue.
   */
  verdicts: ReportVerdict[]
  runs?: ReportRuns
  baseline?: ReportBaseline
}

/**
 * The delivery is genuine.
 */
export interface VectorAccepted {
  outcome: 'accepted'
}

/**
 * The delivery is refused, with this status and code.
 */
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
 * One case for a verifier of the signature header: literal bytes, a fixed clock, and the one right outcome.
 */
export interface SignatureVector {
  /**
   * Names the vector; unique in its file.
   */
  name: string
  /**
   * The signing secret; its UTF-8 bytes, prefix and all, are the key.
   */
  secret?: string
  /**
   * Several signing secrets that are valid side by side, while one is being rotated.
   */
  secrets?: string[]
  /**
   * Greatest allowed difference between now and t, itself allowed.
   */
  tolerance_seconds: number
  /**
   * The receiver's clock in Unix seconds. A fraction is allowed and is cut off.
   */
  now: number
  /**
   * The exact bytes of the body.
   */
  body_base64: string
  /**
   * The value of the signature header: null when there is none, a list when it came several times.
   */
  header: string | null | string[]
  /**
   * The one right outcome.
   */
  expect: VectorAccepted | VectorRefused
  /**
   * The bug that this vector catches, in a plain sentence.
   */
  catches: string
}

/**
 * Any event with a name. Known fields keep their types; all else is open.
 */
export interface TolerantEvent {
  /**
   * What happened.
   */
  event: string
  /**
   * The root session id that payment creation returned. It stays the same when the customer switches method, and also on refunds.
   */
  id?: string
  /**
   * The root session id that payment creation returned. It stays the same when the customer switches method, and also on refunds.
   */
  payment_id?: string
  /**
   * The root session id that payment creation returned. It stays the same when the customer switches method, and also on refunds.
   */
  order_id?: string
  /**
   * Status of the payment. Events named partial and expired have no status of their own name.
   */
  status?: string
  /**
   * Money as decimal text: never a JSON number, no sign, no exponent, no superfluous leading zero. Zero is allowed: an unpaid crypto order can be short by all of it.
   */
  amount?: string
  /**
   * The amount first ordered, on a short payment only. Fulfil for amount, never for this.
   */
  amount_requested?: string
  /**
   * The currency code as given at payment creation: usually three letters, longer for some crypto assets.
   */
  currency?: string
  /**
   * The method the customer paid with in the end.
   */
  payment_method?: string
  /**
   * A rail code that names no brand. The list of codes is not published, so only the spelling is held.
   */
  processor?: string
  /**
   * How a mixed-checkout payment was settled. Amount and currency may differ from those at the top level.
   */
  settled_via?: {
    /**
     * Rail code, upper-case as a rule.
     */
    rail?: string
    /**
     * Money as decimal text: never a JSON number, no sign, no exponent, no superfluous leading zero. Zero is allowed: an unpaid crypto order can be short by all of it.
     */
    amount?: string
    /**
     * The currency code as given at payment creation: usually three letters, longer for some crypto assets.
     */
    currency?: string
    [k: string]: unknown
  }
  /**
   * True for payments made with a live key, false with a test key. Older samples lack it.
   */
  livemode?: boolean
  /**
   * When the event was emitted (ISO 8601). It has no part in the signature, and a redelivery may carry another one.
   */
  timestamp?: string
  /**
   * What the merchant attached at payment creation, handed back unchanged.
   */
  metadata?: {
    [k: string]: unknown
  }
  /**
   * Why the payment failed: the stable field to branch on. New codes may appear, so keep a default branch.
   */
  failure_code?: string
  /**
   * The same for people to read. The wording may change at any time.
   */
  failure_reason?: string
  /**
   * What the customer has paid so far, in the currency of amount. It is not credited: fulfil nothing on it.
   */
  amount_received?: string
  /**
   * chargeback: taken back against the merchant's will. refund: given back by choice.
   */
  type?: string
  /**
   * Marks an event from the test checkout.
   */
  test?: boolean
  [k: string]: unknown
}
