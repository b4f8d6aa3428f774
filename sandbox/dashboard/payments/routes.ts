import { type Request, Router } from 'express'
import { METHOD_NAMES } from '../../checkout/names.ts'
import type { Context } from '../../context.ts'
import { type Mode, PAYMENT_STATUSES } from '../../model.ts'
import { field, problemOf } from '../../pages/index.ts'
import { paymentBadge } from '../shared/badge.ts'
import { redirectTo } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { choice, text } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'
import { readPayment } from './new-payment.ts'

const PAGE_SIZE = 25
const MODES = ['test', 'live'] as const satisfies readonly Mode[]
const FORM_FIELDS = ['amount', 'currency', 'mode', 'webhook_url', 'return_url', 'metadata']

/** The Payments screen: the list, and a form that creates a payment as the API does. */
export function paymentListRoutes(context: Context, show: Show): Router {
  const { store, payments, checkTarget } = context
  const router = Router()

  function list(
    request: Request,
    response: Parameters<Show>[0],
    { problem, status: statusCode = 200 }: { problem?: string; status?: number } = {},
  ) {
    const { organization, base } = scopeOf(response)
    const mode = choice(request.query['mode'], MODES) ?? 'test'
    const status = choice(request.query['status'], PAYMENT_STATUSES)
    const startingAfter = text(request.query['before'])
    const found = store.payments.list({
      organizationId: organization.id,
      mode,
      ...(status && { status }),
      ...(startingAfter && { startingAfter }),
      limit: PAGE_SIZE + 1,
    })
    const page = found.slice(0, PAGE_SIZE)
    const older = new URLSearchParams({ mode, ...(status && { status }), before: page.at(-1)?.id ?? '' })
    show(response, {
      template: 'payments/payments',
      title: 'Payments',
      entry: '/payments',
      status: statusCode,
      data: {
        payments: page.map((payment) => ({ ...payment, badge: paymentBadge(payment) })),
        methodNames: METHOD_NAMES,
        filter: { mode, status },
        isFiltered: mode !== 'test' || status !== undefined,
        choices: { modes: MODES, statuses: PAYMENT_STATUSES },
        older: found.length > PAGE_SIZE ? `${base}/payments?${older.toString()}` : undefined,
        problem,
        given: Object.fromEntries(FORM_FIELDS.map((name) => [name, field(request, name)])),
      },
    })
  }

  router.get('/payments', (request, response) => list(request, response))

  router.post('/payments', (request, response) => {
    const { organization, base } = scopeOf(response)
    try {
      const newPayment = readPayment(request, checkTarget)
      const { id } = payments.create({ ...newPayment, organizationId: organization.id })
      redirectTo(response, `${base}/payments/${id}`, 'payment_created')
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      list(request, response, { problem: problem.message, status: problem.status })
    }
  })

  return router
}
