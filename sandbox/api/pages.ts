import type { Request } from 'express'
import { PAYMENT_STATUSES, type PaymentStatus } from '../model.ts'
import { ApiError } from './errors.ts'

/** How many a page has when nobody says, and at most. Interface 4.6 shows no pagination. */
const PAGE = { usual: 20, most: 100 }

/** What a listing of payments asks for. */
export interface Page {
  limit: number
  startingAfter?: string
  status?: PaymentStatus
}

/** Reads limit, starting_after and status from the query. 400 for a value that makes no sense; others are ignored. */
export function pageOf({ query }: Pick<Request, 'query'>): Page {
  const startingAfter = single(query, 'starting_after')
  const status = statusOf(single(query, 'status'))
  return {
    limit: limitOf(single(query, 'limit')),
    ...(startingAfter === undefined ? {} : { startingAfter }),
    ...(status === undefined ? {} : { status }),
  }
}

function single(query: Request['query'], name: string): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw new ApiError(400, `${name} was given more than once.`)
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return PAGE.usual
  const limit = Number(text)
  if (/^[0-9]{1,3}$/.test(text) && limit >= 1 && limit <= PAGE.most) return limit
  throw new ApiError(400, `limit is a whole number from 1 to ${PAGE.most}.`)
}

function statusOf(text: string | undefined): PaymentStatus | undefined {
  if (text === undefined) return undefined
  const status = PAYMENT_STATUSES.find((one) => one === text)
  if (status !== undefined) return status
  throw new ApiError(400, `status is one of ${PAYMENT_STATUSES.join(', ')}.`)
}
