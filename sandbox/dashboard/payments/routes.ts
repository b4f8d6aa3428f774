import { type Request, Router } from 'express'
import { METHOD_NAMES } from '../../checkout/names.ts'
import type { Context } from '../../context.ts'
import { type Mode, PAYMENT_STATUSES } from '../../model.ts'
import { field, problemOf } from '../../pages/index.ts'
import { PAYMENT_SORTS, paymentCount, paymentPage } from '../../store/queries/payments.ts'
import { dateRangeOf, timesOf } from '../lists/date-range.ts'
import { pageOf } from '../lists/paging.ts'
import { paymentBadge } from '../shared/badge.ts'
import { redirectTo } from '../shared/flash-message.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { choice, text } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'
import { clockRoutes } from './clock.ts'
import { columnsOf } from './columns.ts'
import { readPayment } from './new-payment.ts'

const PAGE_SIZE = 25
const MODES = ['test', 'live'] as const satisfies readonly Mode[]
const FORM_FIELDS = ['amount', 'currency', 'mode', 'webhook_url', 'return_url', 'metadata']

/** The Payments screen: the list, and a form that creates a payment as the API does. */
export function paymentListRoutes(context: Context, show: Show): Router {
  const { store, payments, checkTarget } = context
  const findPage = paymentPage(store.database)
  const count = paymentCount(store.database)
  const router = Router()

  function list(
    request: Request,
    response: Parameters<Show>[0],
    { problem, clockProblem, status: statusCode = 200 }: Rejected = {},
  ) {
    const { organization, base } = scopeOf(response)
    const filter = filterOf(request)
    const { mode, status, from, to, sort } = filter
    const position = { before: text(request.query['before']), after: text(request.query['after']) }
    const matching = {
      organizationId: organization.id,
      mode,
      status,
      text: filter.text,
      ...timesOf({ from, to }),
    }
    const query = searchParamsOf(filter)
    const found = findPage({ ...matching, ...position, sort, limit: PAGE_SIZE + 1 })
    const path = `${base}/payments`
    const { page, newer, older } = pageOf(found, position, {
      path,
      query,
      size: PAGE_SIZE,
      idOf: ({ id }) => id,
    })
    const isNarrowed = [status, filter.text, from, to].some((value) => value !== undefined)
    show(response, {
      template: 'payments/payments',
      title: 'Payments',
      entry: '/payments',
      status: statusCode,
      data: {
        payments: page.map((payment) => ({ ...payment, badge: paymentBadge(payment) })),
        total: count(matching),
        columns: columnsOf(path, query, sort),
        methodNames: METHOD_NAMES,
        filter,
        isNarrowed,
        isFiltered: isNarrowed || mode !== 'test',
        choices: { modes: MODES, statuses: PAYMENT_STATUSES },
        newer,
        older,
        problem,
        clockProblem,
        problemField: FORM_FIELDS.find((name) => problem?.toLowerCase().includes(name)),
        given: Object.fromEntries(
          [...FORM_FIELDS, 'count', 'unit'].map((name) => [name, field(request, name)]),
        ),
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

  router.use(clockRoutes(context, list))

  return router
}

/** Why a form of this page was rejected: the one that creates a payment, or the one that advances the clock. */
interface Rejected {
  readonly problem?: string
  readonly clockProblem?: string
  readonly status?: number
}

const filterOf = ({ query }: Pick<Request, 'query'>) => ({
  text: text(query['q']),
  mode: choice(query['mode'], MODES) ?? 'test',
  status: choice(query['status'], PAYMENT_STATUSES),
  sort: choice(query['sort'], PAYMENT_SORTS) ?? 'newest',
  ...dateRangeOf(query),
})

const searchParamsOf = ({ text: q, mode, status, sort, from, to }: ReturnType<typeof filterOf>) =>
  new URLSearchParams({
    ...(q && { q }),
    mode,
    ...(status && { status }),
    ...(from && { from }),
    ...(to && { to }),
    ...(sort !== 'newest' && { sort }),
  })
