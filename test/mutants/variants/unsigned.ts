import type { IncomingMessage } from 'node:http'
import type { CaseId } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { CORRECT } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

/** The cases in which a test event has the id of a live payment. */
export const TEST_AND_LIVE: readonly CaseId[] = [
  'events/test-refund-with-the-id-of-a-live-payment',
  'events/test-completion-with-the-id-of-a-live-payment',
]
const FIELDS: readonly CaseId[] = [
  'events/query-with-another-amount',
  'events/query-with-another-payment',
  'events/query-with-a-completion',
  'events/headers-with-another-amount',
  'events/headers-with-another-payment',
  'events/headers-with-a-completion',
]
const IDS: readonly CaseId[] = [
  'duplicates/with-another-request-id',
  'duplicates/payments-with-the-same-request-id',
]
const TIMES: readonly CaseId[] = [
  'time-window/stale-with-the-timestamp-of-its-body',
  'time-window/stale-with-times-in-headers',
]
const refusingIf = (status: number, is: (request: IncomingMessage) => boolean) => ({
  gate: (request: IncomingMessage, body: Buffer) => (is(request) ? status : CORRECT.gate(request, body)),
})
const dateIsOff = ({ headers: { date } }: IncomingMessage) =>
  date !== undefined && Math.abs(Date.parse(date) - Date.now()) > 900_000

/** Correct receivers that refuse unsigned data which they do not know, or treat test events in their own way. */
export const VARIANTS_UNSIGNED: Readonly<Record<string, Variant>> = {
  'refuses a query': {
    related: FIELDS,
    does: () => refusingIf(404, ({ url = '' }) => url.includes('?')),
  },
  'refuses headers of other services': {
    related: [...FIELDS, ...IDS],
    does: () => refusingIf(400, ({ headers }) => 'x-event-type' in headers || 'svix-id' in headers),
  },
  'refuses an Idempotency-Key that it has seen': {
    related: IDS,
    does: () => {
      const seen = new Set<unknown>()
      return refusingIf(422, ({ headers }) => {
        const key = headers['idempotency-key']
        if (key === undefined) return false
        return seen.size === seen.add(key).size
      })
    },
  },
  'refuses a Date header that is off with 403': {
    related: TIMES,
    does: () => refusingIf(403, dateIsOff),
  },
  'keeps test and live payments of one id together': {
    does: () => ({ modeOf: () => '' }),
    warning: TEST_AND_LIVE,
  },
  'ignores test events of payments that are live': {
    related: TEST_AND_LIVE,
    does: () => {
      let isLive = false
      return {
        keeps(event) {
          isLive ||= event['livemode'] === true
          return !(isLive && event['livemode'] === false)
        },
      }
    },
  },
  'refuses test events in live mode': {
    related: TEST_AND_LIVE,
    does: () => {
      let isLive = false
      return {
        rejects(event) {
          isLive ||= event['livemode'] === true
          return isLive && event['livemode'] === false ? 403 : undefined
        },
      }
    },
  },
}
