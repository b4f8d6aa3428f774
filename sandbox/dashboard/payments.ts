import { type Request, Router } from 'express'
import type { Context } from '../context.ts'
import { type Mode, PAYMENT_STATUSES } from '../model.ts'
import { field, problemOf } from '../pages/index.ts'
import { deskOf, type Show } from './desk.ts'
import { readPayment } from './new-payment.ts'
import { showPayment } from './payment.ts'
import { paymentMark } from './payment-mark.ts'
import { choice, text } from './query.ts'
import { leadTo } from './said.ts'

const PAGE = 25
const MODES = ['test', 'live'] as const satisfies readonly Mode[]

/** Payments: the list, a form that makes one as the API does, and one payment. */
export function paymentRoutes(context: Context, show: Show): Router {
  const { store, payments, checkTarget } = context
  const router = Router()

  function list(
    request: Request,
    response: Parameters<Show>[0],
    more: { problem?: string; status?: number } = {},
  ) {
    const { organization, base } = deskOf(response)
    const mode = choice(request.query['mode'], MODES) ?? 'test'
    const status = choice(request.query['status'], PAYMENT_STATUSES)
    const startingAfter = text(request.query['before'])
    const found = store.payments.list({
      organizationId: organization.id,
      mode,
      ...(status && { status }),
      ...(startingAfter && { startingAfter }),
      limit: PAGE + 1,
    })
    const shown = found.slice(0, PAGE)
    const older = new URLSearchParams({ mode, ...(status && { status }), before: shown.at(-1)?.id ?? '' })
    show(response, {
      template: 'payments',
      title: 'Payments',
      entry: '/payments',
      status: more.status ?? 200,
      data: {
        payments: shown.map((payment) => ({ ...payment, mark: paymentMark(payment) })),
        filter: { mode, status },
        choices: { modes: MODES, statuses: PAYMENT_STATUSES },
        older: found.length > PAGE ? `${base}/payments?${older.toString()}` : undefined,
        problem: more.problem,
        given: Object.fromEntries(
          ['amount', 'currency', 'mode', 'webhook_url', 'return_url', 'metadata'].map((name) => [
            name,
            field(request, name),
          ]),
        ),
      },
    })
  }

  router.get('/payments', (request, response) => list(request, response))

  router.post('/payments', (request, response) => {
    const { organization, base } = deskOf(response)
    try {
      const wanted = readPayment(request, checkTarget)
      const { id } = payments.create({ ...wanted, organizationId: organization.id })
      leadTo(response, `${base}/payments/${id}`, 'payment_created')
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      list(request, response, { problem: problem.message, status: problem.status })
    }
  })

  router.use(showPayment(context, show))
  return router
}
