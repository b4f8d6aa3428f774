import type { FailureCode, PaymentMethod } from '../../schemas/types.ts'
import type { Context } from '../context.ts'
import { creditedAmount } from '../domain/event-body.ts'
import { outcomeOfWindow } from '../domain/gift-cards.ts'
import { recipientsOf } from '../domain/recipients.ts'
import type { Event, Payment } from '../model.ts'
import { addressNames, deskPath } from '../pages/index.ts'
import { FAILURE_MEANINGS, METHOD_NAMES, OUTCOMES } from './names.ts'
import { isInDrawer, offersOf, type PressName } from './offers.ts'
import type { Form } from './press.ts'

/** Why the last press came to nothing, shown where it was pressed. */
export interface Refusal {
  /** One sentence. */
  text: string
  /** As it was filled in; its `press` says which form it is. */
  form: Form
  /** The field that is wrong, if it is one alone. */
  field?: string | undefined
}

/** Everything that the templates of the checkout need to know. */
export interface CheckoutView {
  payment: Payment
  merchant: string
  live: boolean
  /** Where its forms go. */
  path: string
  /** What the merchant gets, or while nothing is settled what was ordered. */
  amount: string
  /** Completed with less than was ordered. Interface 2.2, amount_requested. */
  isShort: boolean
  /** How it ended; null while the customer can still pay. */
  outcome: { heading: string; text: string } | null
  /** The one that counts if the customer chooses none. */
  method: PaymentMethod
  methodName: string
  methods: readonly { code: PaymentMethod; name: string; chosen: boolean }[]
  failureCodes: readonly { code: FailureCode; meaning: string }[]
  /** The buttons that it has. */
  offers: readonly PressName[]
  /** Whether the drawer is open, since what was refused was pressed there. */
  isDrawerOpen: boolean
  /** The internal transactions that switches of method made, oldest first. Interface 2.2 rule 1. */
  children: readonly { id: string; name: string; status: string }[]
  /** What was told of the payment, oldest first. */
  events: readonly Event[]
  /** Where the dashboard of its merchant begins. */
  desk: string
  /** Where its payment.completed goes, as people call it; empty when nobody would hear of it. */
  recipients: readonly string[]
  /** Back to the shop; null without a return_url that is safe as a link. */
  returnUrl: string | null
  /** When the gift-card window ends, such as `2026-03-01 12:00 UTC`. */
  windowEnds: string | null
  /** What becomes of it then. Interface 8. */
  windowOutcome: 'completed' | 'expired'
  refusal: Refusal | undefined
}

/** The path of a payment's page: one for test payments and another for live ones. Interface 2.4. */
export const checkoutPath = ({ id, mode }: Pick<Payment, 'id' | 'mode'>): string =>
  `${mode === 'test' ? '/test' : ''}/checkout/${id}`

/** Reads all that the page of a payment shows. */
export function viewOf(context: Context, payment: Payment, refusal?: Refusal): CheckoutView {
  const { store } = context
  const { id, organizationId, windowEndsAt, returnUrl } = payment
  const method = payment.method ?? 'card'
  const isPaid = payment.status === 'completed' || payment.status === 'refunded'
  const amount = isPaid ? creditedAmount(payment) : payment.amount
  const offers = offersOf({ ...payment, method })
  const refused = offers.find((press) => press === refusal?.form['press'])
  const endpoints = store.endpoints.ofOrganization(organizationId)
  const merchant = store.organizations.get(organizationId)?.name ?? 'the merchant'
  const nameOf = addressNames(context)
  return {
    payment,
    refusal,
    outcome: payment.status === 'pending' || payment.status === 'partial' ? null : OUTCOMES[payment.status],
    method,
    offers,
    isDrawerOpen: refused !== undefined && isInDrawer(refused),
    merchant,
    desk: deskPath({ name: merchant }),
    live: payment.mode === 'live',
    path: checkoutPath(payment),
    amount,
    isShort: amount !== payment.amount,
    methodName: METHOD_NAMES[method],
    methods: entries(METHOD_NAMES).map(([code, name]) => ({ code, name, chosen: code === method })),
    failureCodes: entries(FAILURE_MEANINGS).map(([code, meaning]) => ({ code, meaning })),
    children: store.payments.children(id).map(({ id, method, status }) => ({
      id,
      status,
      name: method === null ? '' : METHOD_NAMES[method],
    })),
    events: store.events.ofPayment(id),
    recipients: recipientsOf(payment, 'payment.completed', endpoints).map(nameOf),
    returnUrl: returnUrl !== null && isLink(returnUrl) ? returnUrl : null,
    windowEnds: windowEndsAt === null ? null : minuteOf(windowEndsAt),
    windowOutcome: outcomeOfWindow(payment.amount),
  }
}

/** The API lets no other in, but what stands in the file may be older than its rules. */
const isLink = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** `2026-03-01 12:00 UTC`. */
const minuteOf = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const entries = <Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] =>
  Object.entries(record) as [Key, Value][]
