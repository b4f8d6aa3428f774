import { formatCount } from '../../shared/numbers.ts'
import type { Attack } from './attacks.ts'
import type { Effort } from './target.ts'

/** What must hold during every attack. */
const BOUNDS = { medianMs: 100, maxMs: 1000, residentMiB: 512 }

/** One valid delivery, which was sent once. */
export interface Delivery {
  /** From before the connection was opened until the answer, in milliseconds. */
  readonly ms: number
  /** The status code, or the reason why there is none. */
  readonly answer: number | string
}

/** What was observed during an attack, or without one. */
export interface Observation {
  readonly deliveries: readonly Delivery[]
  /** Resident memory of the receiver before the attack and at most, in MiB. */
  readonly memory: { readonly before: number; readonly peak: number }
  /** The longest time for which the machine, and not the receiver, held up the measurement, in milliseconds. */
  readonly withheldMs: number
}

export type Expectation = Pick<Attack, 'mayTakeMs' | 'mayLose' | 'mayGrowMiB'>

/** Everything that a receiver did wrong during an attack, one line each. */
export function violationsOf(
  { deliveries, memory }: Observation,
  { mayTakeMs = BOUNDS.maxMs, mayLose = 0, mayGrowMiB = Number.POSITIVE_INFINITY }: Expectation,
): string[] {
  const { lost, p50, max } = summaryOf(deliveries)
  const violations: string[] = []
  if (deliveries.length === 0) violations.push('no valid delivery was sent')
  if (lost.length > mayLose * deliveries.length) {
    const answers = [...new Set(lost.map(({ answer }) => answer))].join(', ')
    violations.push(
      `${lost.length} of ${deliveries.length} valid deliveries were not answered 200: ${answers}`,
    )
  }
  if (max > mayTakeMs)
    violations.push(`a valid delivery took ${formatMs(max)}; the limit is ${formatMs(mayTakeMs)}`)
  if (p50 > BOUNDS.medianMs)
    violations.push(
      `half of the valid deliveries took ${formatMs(p50)} or more; the limit is ${formatMs(BOUNDS.medianMs)}`,
    )
  const growth = memory.peak - memory.before
  // Written so that NaN, for a process that no longer exists, is a violation.
  if (!(memory.peak <= BOUNDS.residentMiB))
    violations.push(`memory reached ${formatMiB(memory.peak)}; the limit is ${formatMiB(BOUNDS.residentMiB)}`)
  if (growth > mayGrowMiB)
    violations.push(`memory grew by ${formatMiB(growth)}; the limit is ${formatMiB(mayGrowMiB)}`)
  return violations
}

/** Why an attack proves nothing: what the attackers did not do, one line each. */
export function shortfallsOf(effort: Effort, least: Partial<Effort>): string[] {
  return Object.entries(least).flatMap(([name, needed]) => {
    const done = effort[name as keyof Effort]
    return done >= needed ? [] : [`the attack was too weak: ${name} ${done} of ${needed}`]
  })
}

/**
 * Whether the machine alone may have caused what is wrong: the attack is then repeated, and the repetition counts. Memory is
 * never the fault of the machine.
 */
export function isDoubtful(
  observation: Observation,
  { mayTakeMs = BOUNDS.maxMs, mayLose = 0, mayGrowMiB }: Expectation,
): boolean {
  const { deliveries, withheldMs } = observation
  const { p50, max, lost } = summaryOf(deliveries)
  const withoutStall = {
    ...observation,
    deliveries: deliveries.map((delivery) => ({ ...delivery, ms: delivery.ms - withheldMs })),
  }
  return (
    (p50 > BOUNDS.medianMs || max > mayTakeMs || lost.length > mayLose * deliveries.length) &&
    violationsOf(withoutStall, {
      mayTakeMs,
      mayLose: withheldMs > BOUNDS.maxMs ? 1 : mayLose,
      ...(mayGrowMiB === undefined ? {} : { mayGrowMiB }),
    }).length === 0
  )
}

/** Whether nothing is wrong but that deliveries were answered late. */
export function isOnlyLate(observation: Observation, expectation: Expectation): boolean {
  const inTime = { ...observation, deliveries: observation.deliveries.map((one) => ({ ...one, ms: 0 })) }
  return violationsOf(observation, expectation).length > 0 && violationsOf(inTime, expectation).length === 0
}

/** `40 valid deliveries: 0 lost, p50 3 ms, p99 8 ms, max 8 ms; RSS 88 to 140 MiB` */
export function formatObservation({ deliveries, memory }: Observation): string {
  const { lost, p50, p99, max } = summaryOf(deliveries)
  return (
    `${formatCount(deliveries.length)} valid deliveries: ${lost.length} lost, p50 ${formatMs(p50)}, ` +
    `p99 ${formatMs(p99)}, max ${formatMs(max)}; RSS ${memory.before.toFixed(0)} to ${formatMiB(memory.peak)}`
  )
}

/** `64 connections at most, 70 opened, 64 requests, 6 MiB` */
export const formatEffort = ({ mostOpen, opened, requests, bytes }: Effort): string =>
  `${formatCount(mostOpen)} connections at once, ${formatCount(opened)} opened, ` +
  `${formatCount(requests)} requests, ${formatMiB(bytes / 1024 / 1024)} sent`

function summaryOf(deliveries: readonly Delivery[]): {
  readonly lost: readonly Delivery[]
  readonly p50: number
  readonly p99: number
  readonly max: number
} {
  const sorted = deliveries.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const percentile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
  return {
    lost: deliveries.filter(({ answer }) => answer !== 200),
    p50: percentile(0.5),
    p99: percentile(0.99),
    max: sorted.at(-1) ?? Number.NaN,
  }
}

const formatMs = (ms: number): string => `${formatCount(Math.round(ms))} ms`
const formatMiB = (mib: number): string => `${formatCount(Math.round(mib))} MiB`
