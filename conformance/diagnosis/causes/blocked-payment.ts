import type { Verdict } from '../../contracts/payment-service/model.ts'
import type { Recognize } from '../cause.ts'
import { isOpen } from '../evidence.ts'
import { REMEMBERS_REFUSED } from './duplicates.ts'

/** So many refused payments make it no coincidence. */
const ENOUGH = 3

/** A payment is refused permanently once a delivery of it was refused, while other payments are accepted. */
export const blockedPayments: Recognize = ({ verdicts }) => {
  const explains = new Set<Verdict>()
  let disproven = 0
  const others = { accepted: 0, refused: 0 }
  for (const verdict of verdicts) {
    const refused = new Set<string>()
    for (const { delivery, answer, unanswered } of verdict.exchanges) {
      const id = delivery.paymentId
      if (id === undefined || unanswered === true || answer === undefined) continue
      const isValid = delivery.change === undefined && delivery.role !== 'context'
      if (isValid && refused.has(id)) {
        if (answer.status >= 200 && answer.status < 300) disproven += 1
        else if (answer.status < 500 && isOpen(verdict)) explains.add(verdict)
      } else if (isValid) others[answer.status >= 400 ? 'refused' : 'accepted'] += 1
      if (answer.status === 400 || answer.status === 401) refused.add(id)
    }
  }
  const isRare = explains.size < ENOUGH || disproven >= explains.size
  return isRare || others.refused * 10 > others.accepted
    ? []
    : [{ ...REMEMBERS_REFUSED, explains, precedes: true }]
}
