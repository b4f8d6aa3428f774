import { type Request, type RequestHandler, Router } from 'express'
import type { PaymentAction, PaymentMethod } from '../../schemas/types.ts'
import { validate } from '../../schemas/validate.ts'
import type { Context } from '../compose.ts'
import { type Action, readAction } from '../domain/actions.ts'
import { ApiError, BadAction } from '../errors.ts'
import { type Form, formFields, shortFormBody } from '../http/bodies.ts'
import { ownPagesOnly } from '../http/guard.ts'
import { liveChanges } from '../http/streams.ts'
import type { Change, Mode, Payment } from '../model.ts'
import { answerPageErrors, problemOf } from '../pages/errors.ts'
import { pageHeaders, sendPage } from '../pages/render.ts'
import { checkoutPath, viewOf } from './view.ts'

const PAGE = '/checkout/page'

/**
 * The hosted checkout, at the checkout_url of a payment (interface 1 and 2.4). Anyone who knows the id of a payment can
 * open it. Each button submits a form; an accepted one redirects back to the page.
 * @param onFailure receives unexpected errors
 */
export function checkoutRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  const router = Router()
  for (const mode of ['test', 'live'] as const) {
    const path = checkoutPath({ id: ':id', mode })
    router.use(path, pageHeaders, ownPagesOnly(context.origin))

    router.get(path, (request, response) => {
      sendPage(response, { template: PAGE, data: viewOf(context, findPayment(context, mode, request)) })
    })

    router.get(`${path}/live`, (request, response, next) => {
      const concerns = changesOf(context, findPayment(context, mode, request))
      liveChanges(context.feed, concerns)(request, response, next)
    })

    const requirePayment: RequestHandler = (request, _response, next) => {
      findPayment(context, mode, request)
      next()
    }
    router.post(path, requirePayment, ...shortFormBody, submit(context, mode))

    router.all(path, (_request, response) => {
      response.set('Allow', 'GET, HEAD, POST')
      throw new ApiError(405, 'The checkout is a web page: open it in a browser.')
    })
    router.use(path, answerPageErrors(onFailure))
  }
  return router
}

/** The payment in the path. A payment of the other mode looks as if it did not exist. */
function findPayment({ store }: Context, mode: Mode, { params }: Request): Payment {
  const payment = store.payments.get(String(params['id']))
  if (payment?.mode !== mode) throw new ApiError(404, 'There is no payment at this address.')
  return payment
}

function changesOf({ store }: Context, { id }: Payment): (change: Change) => boolean {
  return ({ kind, id: changed = '' }) => {
    if (kind === 'payment') return changed === id
    if (kind === 'event') return store.events.get(changed)?.paymentId === id
    if (kind !== 'delivery') return true
    return store.events.get(store.deliveries.get(changed)?.eventId ?? '')?.paymentId === id
  }
}

/** Performs a submitted action. If it is rejected, renders the page again with the reason. */
function submit(context: Context, mode: Mode): RequestHandler {
  return async (request, response) => {
    const payment = findPayment(context, mode, request)
    const form = formFields(request.body)
    try {
      const action = readCheckoutAction(form, mode)
      await perform(context, payment, action)
      response.redirect(303, checkoutPath(payment) + (action.type === 'switch' ? '#method' : ''))
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      const { status, message: text } = problem
      const field = error instanceof BadField ? error.field : undefined
      sendPage(response, { template: PAGE, status, data: viewOf(context, payment, { text, form, field }) })
    }
  }
}

async function perform(
  { payments }: Context,
  { id, windowEndsAt }: Payment,
  action: CheckoutAction,
): Promise<void> {
  switch (action.type) {
    case 'act':
      payments.act(id, action.action)
      break
    case 'switch':
      payments.switchMethod(id, action.method)
      break
    case 'end_window':
      if (windowEndsAt === null) throw new ApiError(409, 'The payment no longer has an open window.')
      payments.endWindow(id)
  }
}

type CheckoutAction =
  | { type: 'act'; action: Action }
  | { type: 'switch'; method: PaymentMethod }
  | { type: 'end_window' }

/** An invalid form field, with one line for the person who filled it in. */
class BadField extends BadAction {
  readonly field: string

  constructor(field: string, expected: string) {
    super(`${LABELS[field] ?? field}: expected ${expected}.`)
    this.field = field
  }
}

const LABELS: Readonly<Record<string, string>> = {
  amount: 'Amount',
  rail: 'Rail',
  currency: 'Currency',
  failure_code: 'Failure code',
  method: 'Method',
}

/**
 * The request of the control API for each button, except `end_window`. In test mode, success and failure are marked as
 * simulated whatever the failure code (interface 6 rule 2); in live mode nothing is.
 */
function requestsOf(form: Form, mode: Mode): Readonly<Record<string, object>> {
  const by = optional(form, 'method')
  const marked = mode === 'test' ? { simulated: true } : {}
  return {
    succeed: { type: 'succeed', ...by, ...marked },
    fail: { type: 'fail', ...by, ...marked },
    fail_with: { type: 'fail', ...by, ...required(form, 'failure_code'), ...marked },
    pay_part: { type: 'pay_part', ...by, ...required(form, 'amount') },
    accept_short: { type: 'accept_short', ...optional(form, 'amount') },
    settle: { type: 'succeed', ...by, settled_via: required(form, 'rail', 'amount', 'currency') },
    refund: { type: 'reverse', refund_type: 'refund' },
    chargeback: { type: 'reverse', refund_type: 'chargeback' },
    switch: { type: 'switch_method', ...required(form, 'method') },
  }
}

/**
 * Reads a submitted form; its field `action` names the button.
 * @throws BadField for an invalid value, BadAction for an unknown button
 */
export function readCheckoutAction(form: Form, mode: Mode): CheckoutAction {
  const { action: name = '' } = form
  if (name === 'end_window') return { type: 'end_window' }
  const requests = requestsOf(form, mode)
  const request = Object.hasOwn(requests, name) ? requests[name] : undefined
  if (request === undefined) throw new BadAction('unknown button: reload the page.')
  const [mismatch] = validate('api/payment-action', request)
  if (mismatch !== undefined) {
    throw new BadField(mismatch.path.split('/').at(-1) ?? '', mismatch.expected)
  }
  const action = readAction(request as PaymentAction)
  if (action.type !== 'switch_method') return { type: 'act', action }
  if (action.method === undefined) throw new BadAction('choose the method to switch to.')
  return { type: 'switch', method: action.method }
}

const optional = (form: Form, name: string): Form => (form[name] ? { [name]: form[name] } : {})

/** The named fields; missing ones are empty, which the schema rejects. */
function required(form: Form, ...names: string[]): Form {
  return Object.fromEntries(names.map((name) => [name, form[name] ?? '']))
}
