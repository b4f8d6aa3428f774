import type { Exchange, Guidance } from '../../contracts/payment-service/model.ts'
import type { Sent } from '../send.ts'

/** What was found out about a case: `problems` fail it, and a `reason` leaves it without a result. */
export interface Found {
  readonly problems?: readonly string[]
  readonly reason?: string | undefined
  readonly exchanges?: readonly Exchange[]
  /** Where what was observed names a cause that the case does not. */
  readonly guidance?: Guidance | undefined
  /** The round that repeats the failure. */
  readonly round?: number | undefined
  /** Why the case makes no sense here: it then does not affect the conclusion. */
  readonly excluded?: string
}

/** A delivery of the run as a report shows it. */
export function toExchange({ delivery, status, error, sentAt, answeredAt }: Sent): Exchange {
  const ms = answeredAt === undefined ? 0 : answeredAt - sentAt
  return {
    delivery,
    answer:
      status === undefined ? undefined : { status, headers: [], body: Buffer.alloc(0), truncated: false, ms },
    error: error === undefined ? undefined : { code: 'reset', message: error },
  }
}
