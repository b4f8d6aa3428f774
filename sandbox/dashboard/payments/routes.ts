import type { Request, Response, Router } from 'express'
import { validate } from '../../../schemas/validate.ts'
import { requireLink, requireTarget } from '../../api/inputs.ts'
import { METHOD_NAMES } from '../../checkout/view.ts'
import type { Context } from '../../compose.ts'
import { compareAmounts } from '../../domain/amounts.ts'
import { ApiError } from '../../errors.ts'
import { field } from '../../http/bodies.ts'
import { PAYMENT_STATUSES } from '../../model.ts'
import { problemOf, rejectionOf } from '../../pages/errors.ts'
import { PAYMENT_SORTS, type PaymentSort, paymentCount, paymentPage } from '../../store/payments.ts'
import {
  choice,
  dateRangeOf,
  MODES,
  pageOf,
  positionOf,
  searchParams,
  text,
  timesOf,
} from '../shared/filters.ts'
import { redirectTo, returnPath, type Show, scopeOf } from '../shared/screen.ts'
import { paymentBadge } from '../shared/views.ts'

const PAGE_SIZE = 25
const FORM_FIELDS = ['amount', 'currency', 'mode', 'webhook_url', 'return_url', 'metadata']

/** The Payments screen: the list, a form that creates a payment as the API does, and one that advances the clock. */
export function paymentListRoutes(router: Router, context: Context, show: Show): void {
  const { store, payments, windows } = context

  function list(
    request: Request,
    response: Response,
    { problem, clockProblem, status: statusCode = 200 }: Rejected = {},
  ) {
    const { organization, base } = scopeOf(response)
    const filter = filterOf(request)
    const { mode, status, from, to, sort } = filter
    const position = positionOf(request)
    const own = { organizationId: organization.id, mode, status, text: filter.text }
    const matching = { ...own, ...timesOf({ from, to }) }
    const query = searchParamsOf(filter)
    const found = paymentPage(store.database, { ...matching, ...position, sort, limit: PAGE_SIZE + 1 })
    const path = `${base}/payments`
    const how = { path, query, size: PAGE_SIZE, idOf: ({ id }: { id: string }) => id }
    const { page, newer, older } = pageOf(found, position, how)
    const isNarrowed = [status, filter.text, from, to].some((value) => value !== undefined)
    show(response.status(statusCode), 'payments/payments', 'Payments', {
      payments: page.map((payment) => ({ ...payment, badge: paymentBadge(payment) })),
      total: paymentCount(store.database, matching),
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
    })
  }

  router.get('/payments', (request, response) => list(request, response))

  router.post('/payments', (request, response) => {
    const { organization, base } = scopeOf(response)
    const rejected = rejectionOf(() => {
      const { id } = payments.create({ ...readPayment(request), organizationId: organization.id })
      redirectTo(response, `${base}/payments/${id}`, 'payment_created')
    })
    if (rejected !== undefined)
      list(request, response, { problem: rejected.message, status: rejected.status })
  })

  router.post('/clock', (request, response) => advance(request, response))

  /** Advances the sandbox clock, which ends gift card windows and triggers due retries. Interface 8. */
  async function advance(request: Request, response: Response): Promise<void> {
    try {
      windows.advance(timeIn(request))
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return list(request, response, { clockProblem: problem.message, status: problem.status })
    }
    redirectTo(response, returnPath(request, scopeOf(response), '/payments'), 'clock_advanced')
  }

  // A rejected form is shown at this address, and may be loaded again.
  router.get('/clock', (_request, response) =>
    response.redirect(302, `${scopeOf(response).base}/payments#clock`),
  )
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
  searchParams({ q, mode, status, from, to, sort: sort === 'newest' ? undefined : sort })

/**
 * Reads the form that creates a payment: what the API accepts, and the mode, which the API takes from the key. Interface 2.4.
 * @throws ApiError with one sentence about the first invalid field
 */
function readPayment(request: Pick<Request, 'body'>) {
  const [amount, currency] = [field(request, 'amount'), field(request, 'currency')]
  const returnUrl = field(request, 'return_url')
  const givenUrl = field(request, 'webhook_url')
  const metadata = readMetadata(field(request, 'metadata'))
  // Before the schema, whose message would not explain how to fix the URL.
  const webhookUrl = givenUrl && requireTarget('webhook_url', givenUrl)
  // The checkout links to it, so it must not be a script.
  if (returnUrl !== '') requireLink(returnUrl)
  const [problem] = validate('api/payment-create-request', {
    amount,
    currency,
    metadata,
    ...(returnUrl && { return_url: returnUrl }),
    ...(webhookUrl && { webhook_url: webhookUrl }),
  })
  if (problem !== undefined)
    throw new ApiError(400, `${labelOf(problem.path)}: expected ${problem.expected}.`)
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'The amount must be greater than zero.')
  return {
    mode: field(request, 'mode') === 'live' ? ('live' as const) : ('test' as const),
    amount,
    currency,
    metadata,
    ...(returnUrl && { returnUrl }),
    ...(webhookUrl && { webhookUrl }),
  }
}

function readMetadata(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? []
      if (name.trim() === '') throw new ApiError(400, 'Write metadata as one name=value per line.')
      return [name.trim(), value.trim()]
    }),
  )
}

function labelOf(path: string): string {
  const [, name = ''] = path.split('/')
  return name.endsWith('_url') ? name : name.charAt(0).toUpperCase() + name.slice(1)
}

const UNITS: Readonly<Record<string, number>> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

function timeIn(request: Request): number {
  const count = field(request, 'count')
  const unit = UNITS[field(request, 'unit')]
  if (/^[1-9][0-9]{0,5}$/.test(count) && unit !== undefined) return Number(count) * unit
  throw new ApiError(
    400,
    'Advance the clock by a whole number of minutes, hours or days, from 1 to 999999. It cannot be turned back.',
  )
}

/** The columns that sort: the order of the first click, then the opposite one. */
const SORTED: Readonly<Record<string, readonly [descending: PaymentSort, ascending: PaymentSort]>> = {
  Amount: ['highest', 'lowest'],
  Created: ['newest', 'oldest'],
}

/** The column headings of the payments. @param path of the list @param query its filter */
const columnsOf = (path: string, query: URLSearchParams, sort: PaymentSort) =>
  ['Amount', 'Status', 'Method', 'Created'].map((text) => {
    const [descending, ascending] = SORTED[text] ?? []
    if (descending === undefined || ascending === undefined) return { text }
    const params = new URLSearchParams(query)
    params.set('sort', sort === descending ? ascending : descending)
    return {
      text,
      href: `${path}?${params.toString()}`,
      ...(sort === descending && { order: 'descending' }),
      ...(sort === ascending && { order: 'ascending' }),
    }
  })
