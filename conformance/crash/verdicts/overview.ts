import type { Guidance } from '../../case/model.ts'
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
const NOT_RECOGNIZED: Guidance = {
  impact: DOUBLED,
  fix: 'Keep the keys of handled deliveries in the store, under a unique constraint, not in the memory of the process.',
}

/** Sums up the failures of one kind: how many, when, and what they show about the receiver. */
export function overview(failures: readonly Failure[], summary: Pick<CrashSummary, 'rounds'>): Overview {
  const [first] = failures
  if (first === undefined || first.kind === 'not-accepted') return { opening: [], guidance: undefined }
  const rounds = `in ${new Set(failures.map(({ round }) => round)).size} of ${countOf(summary.rounds.length, 'round')}`
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
      `lost: ${failures.length} of ${countOf(acknowledged, 'acknowledged payment')}, ${rounds}${whenOf(failures)}; ${after}`,
    ],
    guidance: isForgotten ? FORGOTTEN : recovered === 0 ? LEFT_UNDONE : undefined,
  }
}

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
