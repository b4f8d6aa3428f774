import { type Request, type RequestHandler, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import type { Mode, Payment } from '../model.ts'
import { answerPageErrors, formBody, ownPagesOnly, pageHeaders, problemOf, sendPage } from '../pages/index.ts'
import { BadField, formOf, type Press, readPress } from './action.ts'
import { checkoutPath, viewOf } from './view.ts'

const PAGE = '/checkout/page'

/**
 * The hosted checkout, at the address that creation answers with (interface 1 and 2.4): who knows the id of a payment
 * may open it. Each button is a form of its own, and an accepted one leads back to the page.
 * @param onFailure told of what no request should be able to cause
 */
export function checkoutRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  const router = Router()
  for (const mode of ['test', 'live'] as const) {
    const path = checkoutPath({ id: ':id', mode })
    router.use(path, pageHeaders, ownPagesOnly(context.origin))

    router.get(path, (request, response) => {
      sendPage(response, { template: PAGE, data: viewOf(context, paymentOf(context, mode, request)) })
    })

    router.post(path, formBody, pressed(context, mode))

    router.all(path, (_request, response) => {
      response.set('Allow', 'GET, HEAD, POST')
      throw new ApiError(405, 'The checkout is a page: open it in a browser.')
    })
    router.use(path, answerPageErrors(onFailure))
  }
  return router
}

/** A payment of the path's own mode; of the other it is not told from one that never was. */
function paymentOf({ store }: Context, mode: Mode, { params }: Request): Payment {
  const payment = store.payments.get(String(params['id']))
  if (payment?.mode !== mode) throw new ApiError(404, 'There is no payment at this address.')
  return payment
}

/** Does what a button says; when it can not be done, shows the page again with one line that says why. */
function pressed(context: Context, mode: Mode): RequestHandler {
  return (request, response) => {
    const payment = paymentOf(context, mode, request)
    const form = formOf(request.body)
    try {
      const press = readPress(form, mode)
      carryOut(context, payment, press)
      response.redirect(303, checkoutPath(payment) + (press.type === 'switch' ? '#method' : ''))
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      const { status, message: text } = problem
      const field = error instanceof BadField ? error.field : undefined
      sendPage(response, { template: PAGE, status, data: viewOf(context, payment, { text, form, field }) })
    }
  }
}

function carryOut({ payments, windows, clock }: Context, { id, windowEndsAt }: Payment, press: Press): void {
  switch (press.type) {
    case 'act':
      payments.act(id, press.action)
      break
    case 'switch':
      payments.switchMethod(id, press.method)
      break
    case 'end_window':
      if (windowEndsAt === null) throw new ApiError(409, 'The payment waits for no window any more.')
      windows.advance(Math.max(0, windowEndsAt - clock.now()))
  }
}
