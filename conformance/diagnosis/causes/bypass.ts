import type { Recognize } from '../cause.ts'
import { isOpen } from '../evidence.ts'

/** The section of the cases in which a sender without the secret tries to get around verification. */
const SECTION = 'bypass'

/** A plain forgery is refused, and one with something that its sender chose is accepted (SPEC.md 12). */
export const bypassCauses: Recognize = ({ trials }) => {
  const isBypass = ({ verdict }: (typeof trials)[number]) => verdict.case.section === SECTION
  const plain = trials.filter((trial) => !isBypass(trial) && trial.correct === 'forged')
  const isUnsigned = ({ delivery }: (typeof trials)[number]) => delivery.signature.join('') === ''
  // A receiver that accepts any unsigned delivery does not do so for something else in it.
  const takesUnsigned = trials.some(
    (trial) => !isBypass(trial) && isUnsigned(trial) && trial.accepted === true,
  )
  const skipped = trials.filter(
    (trial) =>
      isBypass(trial) &&
      trial.shouldAccept === false &&
      trial.accepted === true &&
      !(takesUnsigned && isUnsigned(trial)),
  )
  const explains = new Set(skipped.map(({ verdict }) => verdict).filter(isOpen))
  const [first] = skipped
  const isUsual =
    plain.length === 0 || plain.some(({ shouldAccept, accepted }) => shouldAccept === false && accepted)
  if (first === undefined || explains.size === 0 || isUsual) return []
  return [
    {
      code: 'verification_bypassed',
      sentence: `Verification is skipped for some deliveries because of data that the sender controls (first: ${first.delivery.change ?? 'a forged delivery'}).`,
      fix: 'Verify every request in the same way, regardless of its body, headers, query or connection.',
      explains,
    },
  ]
}
