import { type Request, type RequestHandler, Router } from 'express'
import type { Context } from '../context.ts'
import { liveChanges } from '../dashboard/shared/live.ts'
import { ApiError } from '../http/api-error.ts'
import type { Change, Mode, Payment } from '../model.ts'
import {
  answerPageErrors,
  ownPagesOnly,
  pageHeaders,
  problemOf,
  sendPage,
  shortFormBody,
} from '../pages/index.ts'
import { BadField, type CheckoutAction, formOf, readCheckoutAction } from './action.ts'
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
      liveChanges(context.feed, changesOf(context, findPayment(context, mode, request)))(
        request,
        response,
        next,
      )
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

/** Recognizes changes that the checkout of a payment shows. */
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
    const form = formOf(request.body)
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
  { payments, windows, clock }: Context,
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
      await windows.advanceInBatches(Math.max(0, windowEndsAt - clock.now()))
  }
}
