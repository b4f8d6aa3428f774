import type { FailureCode, PaymentMethod } from '../../schemas/types.ts'
import type { Context } from '../context.ts'
import { type EventView, eventViews } from '../dashboard/shared/event-view.ts'
import { subtractAmounts } from '../domain/amounts.ts'
import { creditedAmount } from '../domain/event-body.ts'
import { outcomeOfWindow } from '../domain/gift-cards.ts'
import { recipientsOf } from '../domain/recipients.ts'
import type { Payment } from '../model.ts'
import { addressNames, dashboardPath, relativeTimes } from '../pages/index.ts'
import type { Form } from './action.ts'
import { FAILURE_MEANINGS, METHOD_NAMES } from './names.ts'
import { type ActionName, isInDrawer, offersOf } from './offers.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

/** A rejected form, whose error is shown next to its button. */
export interface Rejection {
  /** One sentence. */
  text: string
  /** The submitted fields; `action` identifies the form. */
  form: Form
  /** The invalid field, if it is a single one. */
  field?: string | undefined
}

/** The variables of the checkout templates. */
export interface CheckoutView {
  payment: Payment
  merchant: string
  live: boolean
  /** The action URL of the forms. */
  path: string
  /** The amount that the merchant gets; while the payment is open, what is left to pay. */
  amount: string
  /** Whether it completed with less than the requested amount. Interface 2.2, amount_requested. */
  isShort: boolean
  /** What is left to pay; null unless a part was paid. */
  remaining: string | null
  /** Null while the customer can still pay. */
  outcome: Outcome | null
  /** The method that applies if the customer does not choose one. */
  method: PaymentMethod
  methodName: string
  methods: readonly { code: PaymentMethod; name: string; chosen: boolean }[]
  failureCodes: readonly { code: FailureCode; meaning: string }[]
  /** The actions to show. */
  offers: readonly ActionName[]
  /** Whether the drawer is open, to show an error in it. */
  isDrawerOpen: boolean
  /** The internal transactions created by switches of method, oldest first. Interface 2.2 rule 1. */
  children: readonly { id: string; name: string; status: string }[]
  /** The events of the payment with their deliveries, oldest first. */
  events: readonly EventView[]
  /** The path of the merchant's dashboard. */
  dashboard: string
  /** The recipients of payment.completed, readable for people; may be empty. */
  recipients: readonly string[]
  /** The link back to the shop; null if there is no return_url that is safe as a link. */
  returnUrl: string | null
  /** The end of the gift card window, such as `2026-03-01 12:00 UTC`. */
  windowEnds: string | null
  /** The payment's status after the window. Interface 8. */
  windowOutcome: 'completed' | 'expired'
  rejection: Rejection | undefined
  /** Time of the sandbox's clock, in milliseconds since 1970. */
  now: number
  /** Writes a time as markup, relative to now. */
  time: (ms: number) => string
}

/** The path of a payment's checkout, which differs between test and live mode. Interface 2.4. */
export const checkoutPath = ({ id, mode }: Pick<Payment, 'id' | 'mode'>): string =>
  `${mode === 'test' ? '/test' : ''}/checkout/${id}`

/** Loads everything that the checkout of a payment shows. */
export function viewOf(context: Context, payment: Payment, rejection?: Rejection): CheckoutView {
  const { store } = context
  const now = context.clock.now()
  const { id, organizationId, status, amountReceived, windowEndsAt, returnUrl } = payment
  const method = payment.method ?? 'card'
  const isPaid = status === 'completed' || status === 'refunded'
  const remaining =
    status === 'partial' && amountReceived !== null ? subtractAmounts(payment.amount, amountReceived) : null
  const amount = isPaid ? creditedAmount(payment) : (remaining ?? payment.amount)
  const offers = offersOf({ ...payment, method })
  const rejected = offers.find((action) => action === rejection?.form['action'])
  const endpoints = store.endpoints.ofOrganization(organizationId)
  const merchant = store.organizations.get(organizationId)?.name ?? 'the merchant'
  const nameOf = addressNames(context)
  return {
    payment,
    rejection,
    now,
    time: relativeTimes(now),
    outcome: outcomeOf(payment),
    method,
    offers,
    isDrawerOpen: rejected !== undefined && isInDrawer(rejected),
    merchant,
    dashboard: dashboardPath({ name: merchant }),
    live: payment.mode === 'live',
    path: checkoutPath(payment),
    amount,
    isShort: isPaid && amount !== payment.amount,
    remaining,
    methodName: METHOD_NAMES[method],
    methods: entries(METHOD_NAMES).map(([code, name]) => ({ code, name, chosen: code === method })),
    failureCodes: entries(FAILURE_MEANINGS).map(([code, meaning]) => ({ code, meaning })),
    children: store.payments.children(id).map((child) => ({
      id: child.id,
      status: child.status,
      name: child.method === null ? '' : METHOD_NAMES[child.method],
    })),
    events: store.events.ofPayment(id).map(eventViews(context)),
    recipients: recipientsOf(payment, 'payment.completed', endpoints).map(nameOf),
    returnUrl: returnUrl !== null && isWebLink(returnUrl) ? returnUrl : null,
    windowEnds: windowEndsAt === null ? null : minuteOf(windowEndsAt),
    windowOutcome: outcomeOfWindow(payment.amount),
  }
}

/** The API accepts only such URLs, but the sandbox file may be older than that rule. */
const isWebLink = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** `2026-03-01 12:00 UTC`. */
const minuteOf = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const entries = <Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][]
