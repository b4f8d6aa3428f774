import type { Exchange, Verdict } from '../../contracts/webhook/model.ts'
import { isAcknowledged } from '../../engine/exchange.ts'
import type { Candidate, Recognize } from '../cause.ts'
import type { Said } from '../statement.ts'
import { isOpen } from '../symptoms.ts'

/** What a receiver handles that shows how often it handled each delivery, in the parts that receivers get wrong. */
interface Recognition {
  /** Two deliveries with one key are the same delivery. */
  readonly keyOf: (exchange: Exchange) => string
  /** Whether a delivery with this response is recorded as seen. */
  readonly records: (exchange: Exchange) => boolean
  /** Whether a delivery with this response is handled, if it is new. */
  readonly handles: (exchange: Exchange) => boolean
}

const idOf = ({ delivery }: Exchange) => delivery.key ?? ''
const CORRECT: Recognition = { keyOf: idOf, records: isAcknowledged, handles: isAcknowledged }

let serial = 0
const isPost = ({ delivery }: Exchange) => delivery.method === 'POST'

const MISTAKES: readonly (readonly [said: Said, parts: Partial<Recognition>])[] = [
  [{ code: 'no_deduplication' }, { keyOf: () => String((serial += 1)) }],
  [
    { code: 'deduplicated_by_signature', data: { by: 'signature' } },
    { keyOf: ({ delivery }) => delivery.signature.join() },
  ],
  [
    { code: 'deduplicated_by_signature', data: { by: 't' } },
    { keyOf: (exchange) => `${idOf(exchange)} ${exchange.delivery.signed.t}` },
  ],
  [{ code: 'remembers_refused' }, { records: () => true }],
  [{ code: 'acts_before_verifying' }, { records: isPost, handles: isPost }],
]

/** How often a receiver would handle the delivery with each key of a case, if it got them one after another. */
function timesBy(
  { keyOf, records, handles }: Recognition,
  { exchanges }: Verdict,
): ReadonlyMap<string, number> {
  const seen = new Set<string>()
  const times = new Map<string, number>()
  for (const exchange of exchanges) {
    if (exchange.unanswered === true) continue
    const key = keyOf(exchange)
    const isNew = !seen.has(key)
    if (records(exchange)) seen.add(key)
    const id = idOf(exchange)
    if (isNew && handles(exchange)) times.set(id, (times.get(id) ?? 0) + 1)
  }
  return times
}

/** The order of copies that arrive together decides nothing. */
const isTogether = ({ case: { role } }: Verdict) => role === 'copies-together'

/** So many copies show whether each of them was handled, or only some. */
const SEVERAL = 3

/** What a mistake explains; undefined if nothing, or if a delivery was handled in another way than such a receiver does. */
function explainedBy(
  said: Said,
  parts: Partial<Recognition>,
  verdicts: readonly Verdict[],
): Candidate | undefined {
  const explains = new Set<Verdict>()
  const also = new Set<Verdict>()
  const ofSeveral = { exact: 0, others: 0 }
  for (const verdict of verdicts) {
    const { handled, outcome } = verdict
    if (handled === undefined || outcome === 'untested') continue
    const [due, wrong] = [timesBy(CORRECT, verdict), timesBy({ ...CORRECT, ...parts }, verdict)]
    for (const [key, times] of handled) {
      const [right = 0, predicted = 0] = [due.get(key), wrong.get(key)]
      if (isTogether(verdict)) {
        if (isOpen(verdict) && predicted !== right && times !== right) also.add(verdict)
      } else if (predicted === right) {
        if (times > right) return undefined
        // Not every effect need be there when a case has failed.
      } else if (Math.sign(times - right) !== Math.sign(predicted - right)) return undefined
      else {
        if (isOpen(verdict)) explains.add(verdict)
        if (predicted >= SEVERAL) ofSeveral[times === predicted ? 'exact' : 'others'] += 1
      }
    }
  }
  const isDisproven = ofSeveral.others > 0 && ofSeveral.exact === 0
  return explains.size === 0 || isDisproven ? undefined : { ...said, explains, also }
}

/** Redeliveries, or what was refused, are recognized wrongly where a receiver shows only how often it handled each delivery. */
export const redeliveryCauses: Recognize = ({ verdicts }) =>
  MISTAKES.flatMap(([said, parts]) => explainedBy(said, parts, verdicts) ?? [])
