import type { ConformanceReport, ReportCrash, ReportVerdict } from '../../schemas/types.ts'
import { type Outcome, SEVERITIES } from '../contracts/model.ts'
import { developmentServerOf } from './recognize.ts'
import { counted, namesIn } from './wording.ts'

/** The outcomes of one section. */
export interface SectionCounts {
  readonly id: string
  readonly title: string
  readonly counts: Readonly<Record<Outcome, number>>
}

/** A development server, stalls of this machine, and the results of repeated runs and of a baseline, one line each: they change no verdict. */
export function notesOf({ runs, baseline, crash, stalledMs, counts, verdicts }: ConformanceReport): string[] {
  if (crash !== undefined) return crashNotes(crash)
  const server = counts.failed === 0 ? undefined : developmentServerOf(verdicts)
  const unstable = runs?.unstable.map(({ case: id, outcomes }) => `${id} (${outcomes.join(', ')})`)
  const circumstances = [
    ...(server === undefined
      ? []
      : [
          `The receiver runs on a development server (${server}), which may fail cases that the server you deploy passes: grade that one.`,
        ]),
    ...(stalledMs === undefined
      ? []
      : [
          `This machine was too busy to run hookproof or the receiver for ${(stalledMs / 1000).toFixed(1)} s in total; response times do not include that.`,
        ]),
  ]
  const notes: [readonly string[] | undefined, string][] = [
    [unstable, `Unstable in ${runs?.count} runs (outcomes differ)`],
    [knownByReason(baseline?.known ?? []), 'Known failures (in the baseline)'],
    [baseline?.new, 'New failures'],
    [baseline?.stale, 'Stale baseline entries (no longer fail)'],
    [baseline?.expired, 'Expired baseline entries'],
    [baseline && [namesIn(baseline.undecided)], 'No result, and not in the baseline'],
  ]
  const lines = notes.flatMap(([cases = [], title]) => {
    const text = cases.join(', ')
    return text === '' ? [] : [`${title}: ${text}.`]
  })
  return runs !== undefined && runs.unstable.length === 0
    ? [...circumstances, `${runs.count} runs agree on every verdict.`, ...lines]
    : [...circumstances, ...lines]
}

/** Each reason once, after the failures that have it. */
function knownByReason(known: readonly { readonly case: string; readonly reason: string }[]): string[] {
  const reasons = new Set(known.map(({ reason }) => reason))
  return [...reasons].map((reason) => {
    const ids = known.filter((one) => one.reason === reason).map((one) => one.case)
    return `${namesIn(ids)} (${reason})`
  })
}

/** What a run of crashes did, and what it does not prove. */
function crashNotes(crash: ReportCrash): string[] {
  const { rounds, kills, payments, acknowledged, lost, neverHandled = 0, doubled, synced } = crash
  const each = [
    ifAny(kills, 'kill'),
    ifAny(payments, 'payment'),
    `${acknowledged} acknowledged before the kill`,
    `${lost} lost`,
    neverHandled === 0 ? '' : `${neverHandled} acknowledged after the restart and never handled`,
    `${doubled} doubled`,
  ].filter((part) => part !== '')
  return [
    `${counted(rounds, 'round')}: ${each.join(', ')}.`,
    ...(synced === null ? [] : [`Synced before acknowledged: ${synced.before} of ${synced.of}.`]),
    'A SIGKILL is not a power cut: what the operating system had not yet written to the disk was not tested.',
  ]
}

/**
 * What the comparison with the baseline means for the exit code of `hookproof check`; empty without a baseline:
 * `No new failures: 3 known ones (exit code 0).`
 */
export function baselineLine({ baseline, runs, conclusion }: ConformanceReport): string {
  if (baseline === undefined) return ''
  const { known, new: added, stale, expired, inconclusive } = baseline
  const unstable = runs?.unstable.length ?? 0
  const problems = [
    ifAny(added.length, 'new failure'),
    ifAny(expired.length, 'expired baseline entry', 'expired baseline entries'),
    ifAny(stale.length, 'stale baseline entry', 'stale baseline entries'),
    ifAny(unstable, 'unstable verdict'),
  ].filter((part) => part !== '')
  if (problems.length > 0) return `${problems.join(', ')} (exit code 1).`
  const left = ifAny(inconclusive.length, 'case')
  const count =
    known.length === 0
      ? ''
      : `: ${counted(known.length, 'known one')}${left === '' ? '' : `, which ${known.length === 1 ? 'leaves' : 'leave'} ${left} inconclusive`}`
  const undecided = ifAny(baseline.undecided.length, 'MUST case')
  if (undecided !== '') return `No new failures${count}, but no result for ${undecided} (exit code 3).`
  return `No new failures${count} (exit code ${conclusion === 'incomplete' ? 3 : 0}).`
}

/** Whether a MUST has no result, so that the receiver may violate it. */
export function isUndecidedMust({ level, outcome }: Pick<ReportVerdict, 'level' | 'outcome'>): boolean {
  return level === 'MUST' && (outcome === 'untested' || outcome === 'inconclusive')
}

function ifAny(count: number, one: string, several?: string): string {
  return count === 0 ? '' : counted(count, one, several)
}

/** Whether only some cases were selected to run. */
export function isNarrowed({
  selection,
}: {
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
}): boolean {
  return selection.only.length + selection.skip.length > 0
}

/** Whether the run has a grade: not when it was limited to selected cases, nor when it ended before every case was judged. */
export function hasGrade(
  report: Pick<ConformanceReport, 'selection' | 'interrupted' | 'endedEarly'>,
): boolean {
  return !isNarrowed(report) && cutShort(report) === undefined
}

/** What is said instead of the grade of a run that ended before every case was judged; undefined for any other. */
export function cutShort({
  interrupted,
  endedEarly,
}: Pick<ConformanceReport, 'interrupted' | 'endedEarly'>): string | undefined {
  if (interrupted === true) return 'interrupted'
  return endedEarly === undefined ? undefined : 'not graded'
}

/** The receiver that was graded, without its address when it is the bundled one. */
export function receiverName({ target }: ConformanceReport): string {
  return target.started ? 'the bundled reference receiver' : target.url
}

/** The contract that was tested, such as `1.0`, with the service where it is another one. */
export function contractName({ contract, service }: ConformanceReport): string {
  return `${contract}${service === undefined ? '' : ` for ${service}`}`
}

/** The verdicts with one outcome, in the order of the report. */
export function withOutcome({ verdicts }: ConformanceReport, wanted: Outcome): ReportVerdict[] {
  return verdicts.filter(({ outcome }) => outcome === wanted)
}

/** Cases without a result for the same reason. */
export interface Undecided {
  readonly reason: string
  readonly cases: readonly string[]
}

/** Why the cases with this outcome have no result: each reason once, with its cases. */
export function reasonsFor(report: ConformanceReport, outcome: 'inconclusive' | 'untested'): Undecided[] {
  const reasonOf = ({ reason }: ReportVerdict) => reason ?? 'no reason was given'
  return groupedBy(withOutcome(report, outcome), reasonOf).flatMap((group) =>
    group.slice(0, 1).map((first) => ({
      reason: reasonOf(first),
      cases: group.map(({ case: id }) => id),
    })),
  )
}

/** At equal severity these sections come first: their failures are causes from which many others follow. */
const CAUSES: readonly string[] = ['refusals', 'time-window', 'body-bytes', 'duplicates', 'effects']

/** Sorts verdicts by severity (security, money, protocol); at equal severity the likely causes come first. */
export function bySeverity(verdicts: readonly ReportVerdict[]): ReportVerdict[] {
  const rank = ({ severity, section }: ReportVerdict) => {
    const severityRank = severity === null ? SEVERITIES.length : SEVERITIES.indexOf(severity)
    const cause = CAUSES.indexOf(section)
    return severityRank * (CAUSES.length + 1) + (cause === -1 ? CAUSES.length : cause)
  }
  return verdicts.toSorted((a, b) => rank(a) - rank(b))
}

/**
 * Verdicts in groups with the same requirement and severity, and within them in groups with the same impact and fix, so
 * that each is printed only once.
 */
export function groupedByRequirement(verdicts: readonly ReportVerdict[]): ReportVerdict[][][] {
  return groupedBy(verdicts, ({ outcome, severity, spec }) =>
    [outcome, severity, spec.number].join('\n'),
  ).map((group) => groupedBy(group, ({ impact, fix }) => [impact, fix].join('\n')))
}

/** Verdicts in groups with the same key, in the order in which the keys first occur. */
export function groupedBy(
  verdicts: readonly ReportVerdict[],
  keyOf: (verdict: ReportVerdict) => string,
): ReportVerdict[][] {
  const groups = new Map<string, ReportVerdict[]>()
  for (const verdict of verdicts) {
    const key = keyOf(verdict)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [verdict])
    else group.push(verdict)
  }
  return [...groups.values()]
}

/** The sections in the order of the report, each with its counts. */
export function sectionsOf({ verdicts }: ConformanceReport): SectionCounts[] {
  return [...new Set(verdicts.map(({ section }) => section))].map((id) => {
    const counts = { passed: 0, failed: 0, warning: 0, inconclusive: 0, untested: 0 }
    for (const { section, outcome } of verdicts) if (section === id) counts[outcome] += 1
    return { id, title: TITLES[id] ?? capitalized(id), counts }
  })
}

/** Section ids never change, so one keeps a spelling that its title does not have. */
const TITLES: Readonly<Record<string, string>> = { acknowledgement: 'Acknowledgment' }

/** `signature-header` as `Signature header`. */
function capitalized(id: string): string {
  const words = id.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** How many different requests are named before the rest is only counted. */
const SHOWN = 3

/** The requests of a case in one line, without its controls if it has others: `POST payment.completed, empty key (2 times)`. */
export function sent({ exchanges }: ReportVerdict): string {
  if (exchanges.length === 0) return 'nothing by itself: it judges the deliveries of the other cases'
  if (exchanges.every(wasRefused))
    return 'nothing that arrived: the receiver refused every connection, most likely since an earlier case'
  const own = exchanges.filter(({ role }) => role !== 'control')
  const requests = (own.length === 0 ? exchanges : own).map(
    ({ delivery, label }) =>
      `${delivery.method}${delivery.event === null ? '' : ` ${delivery.event}`}, ${label}`,
  )
  const distinct = [...new Set(requests)].map((request) => {
    const times = requests.filter((other) => other === request).length
    return times === 1 ? request : `${request} (${times} times)`
  })
  const more = distinct.length > SHOWN ? `; and ${distinct.length - SHOWN} more` : ''
  return `${distinct.slice(0, SHOWN).join('; then ')}${more}`
}

/** Whether nothing listened any more: the request was never sent. */
export function wasRefused({ errorCode }: ReportVerdict['exchanges'][number]): boolean {
  return errorCode === 'refused'
}
