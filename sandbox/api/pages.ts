import type { Request } from 'express'
import { PAYMENT_STATUSES, type PaymentStatus } from '../model.ts'
import { ApiError } from './errors.ts'

/** The default and maximum page size. Interface 4.6 does not specify pagination. */
const PAGE = { default: 20, maximum: 100 }

/** The query of a payment list. */
export interface Page {
  limit: number
  startingAfter?: string
  status?: PaymentStatus
}

/** Reads limit, starting_after and status from the query. 400 for an invalid value; other parameters are ignored. */
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
  throw new ApiError(400, `${name} must not be repeated.`)
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return PAGE.default
  const limit = Number(text)
  if (/^[0-9]{1,3}$/.test(text) && limit >= 1 && limit <= PAGE.maximum) return limit
  throw new ApiError(400, `limit must be a whole number from 1 to ${PAGE.maximum}.`)
}

function statusOf(text: string | undefined): PaymentStatus | undefined {
  if (text === undefined) return undefined
  const status = PAYMENT_STATUSES.find((known) => known === text)
  if (status !== undefined) return status
  throw new ApiError(400, `status must be one of ${PAYMENT_STATUSES.join(', ')}.`)
}
