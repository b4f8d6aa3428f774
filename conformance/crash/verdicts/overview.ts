import type { Guidance } from '../../contracts/payment-service/model.ts'
import type { Failure } from './story.ts'
import type { CrashSummary } from './summary.ts'

/** What the failures of a run have in common. */
interface Overview {
  /** One sentence, or none. */
  readonly opening: readonly string[]
  /** Undefined where several causes are as likely. */
  readonly guidance: Guidance | undefined
}

const LOST = 'A crash loses a payment that the customer has made, and the service does not send it again.'
const DOUBLED = 'A crash makes the merchant ship the goods twice.'

const FORGOTTEN: Guidance = {
  impact: LOST,
  fix: 'Commit the delivery to a database or a synced file before you answer 200, and do not delete unfinished deliveries at startup.',
}
const LEFT_UNDONE: Guidance = {
  impact: LOST,
  fix: 'At each start, process what is stored and not done, and mark a delivery as done only together with its effect.',
}
const NEVER_HANDLED: Guidance = {
  impact:
    'A payment whose delivery a crash interrupted is never handled: the receiver answers 200 to the delivery that is sent again, and does nothing.',
  fix: 'At each start, process what is stored and not done, and take a delivery for a duplicate only if the first one is stored as a whole.',
}
const NOT_RECOGNIZED: Guidance = {
  impact: DOUBLED,
  fix: 'Keep the keys of handled deliveries in the store, under a unique constraint, not in the memory of the process.',
}

/** Sums up the failures of one kind: how many, when, and what they show about the receiver. */
export function overview(failures: readonly Failure[], summary: Pick<CrashSummary, 'rounds'>): Overview {
  const [first] = failures
  if (first === undefined || first.kind === 'not-accepted') return { opening: [], guidance: undefined }
  const rounds = roundsOf(failures, summary)
  if (first.kind === 'doubled') {
    const later = failures.filter(({ isAfterRedelivery }) => isAfterRedelivery).length
    const payments = summary.rounds.reduce((sum, round) => sum + round.payments.length, 0)
    const when =
      later === failures.length
        ? 'all when they were delivered again: the receiver did not recognize them'
        : later === 0
          ? 'all before anything was delivered again: the receiver repeated work that it had done'
          : `${later} of them when they were delivered again`
    return {
      opening: [`handled twice: ${failures.length} of ${countOf(payments, 'payment')}, ${rounds}, ${when}`],
      guidance: later === failures.length ? NOT_RECOGNIZED : undefined,
    }
  }
  const interrupted = failures.filter(isNeverHandled)
  const lost = failures.filter((failure) => !isNeverHandled(failure))
  const parts = [
    ...(lost.length > 0 ? [lostOverview(lost, summary)] : []),
    ...(interrupted.length > 0 ? [neverHandledOverview(interrupted, summary)] : []),
  ]
  const [only] = parts
  return {
    opening: parts.flatMap(({ opening }) => opening),
    // Of two kinds, one mistake is the likely cause only where both name it.
    guidance: parts.length === 1 || lost.every(isNotRecovered) ? only?.guidance : undefined,
  }
}

/** Whether a payment without its effect was acknowledged only after the restart: the crash lost no acknowledged one. */
export const isNeverHandled = ({ kind, beforeKillMs }: Failure): boolean =>
  kind === 'lost' && beforeKillMs === undefined

const isNotRecovered = ({ isRecovered }: Failure): boolean => isRecovered !== true

function lostOverview(failures: readonly Failure[], summary: Pick<CrashSummary, 'rounds'>): Overview {
  const acknowledged = summary.rounds.reduce((sum, round) => sum + round.acknowledged, 0)
  const recovered = failures.filter(({ isRecovered }) => isRecovered === true).length
  const isForgotten = recovered === failures.length
  const after = isForgotten
    ? 'delivered again, all had their effect: the receiver had not kept them'
    : recovered === 0
      ? 'delivered again, none had its effect: the receiver recognized them, but had never finished them'
      : `delivered again, ${recovered} of them had their effect`
  return {
    opening: [
      `lost: ${failures.length} of ${countOf(acknowledged, 'acknowledged payment')}, ${roundsOf(failures, summary)}${whenOf(failures)}; ${after}`,
    ],
    guidance: isForgotten ? FORGOTTEN : recovered === 0 ? LEFT_UNDONE : undefined,
  }
}

function neverHandledOverview(failures: readonly Failure[], summary: Pick<CrashSummary, 'rounds'>): Overview {
  const payments = countOf(failures.length, 'payment')
  return {
    opening: [
      `never handled: ${payments}, ${roundsOf(failures, summary)}, acknowledged only after the restart, as if the delivery were a duplicate`,
    ],
    guidance: NEVER_HANDLED,
  }
}

const roundsOf = (failures: readonly Failure[], { rounds }: Pick<CrashSummary, 'rounds'>): string =>
  `in ${new Set(failures.map(({ round }) => round)).size} of ${countOf(rounds.length, 'round')}`

/** How long before the kill the lost payments had been acknowledged: about as long as they were in memory alone. */
function whenOf(failures: readonly Failure[]): string {
  const times = failures.flatMap(({ beforeKillMs }) =>
    beforeKillMs === undefined ? [] : [Math.round(beforeKillMs)],
  )
  if (times.length === 0) return ''
  const [least, most] = [Math.min(...times), Math.max(...times)]
  return `, acknowledged ${least === most ? most : `${least} to ${most}`} ms before the kill`
}

const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
