import type { Verdict } from '../case/model.ts'
import type { Candidate } from './cause.ts'
import { bodyCauses } from './causes/body.ts'
import { contentCauses } from './causes/content.ts'
import { duplicateCauses } from './causes/duplicates.ts'
import { effectCauses } from './causes/effects.ts'
import { eventCauses } from './causes/events.ts'
import { headerCauses } from './causes/header.ts'
import { moneyCauses } from './causes/money.ts'
import { nothingAccepted } from './causes/nothing-accepted.ts'
import { runCauses } from './causes/run.ts'
import { signatureCauses } from './causes/signature.ts'
import { statusCauses } from './causes/statuses.ts'
import { windowCauses } from './causes/window.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { type Findings, MARKER_UNSEEN, NO_FINDINGS } from './findings.ts'

export { MOST } from './causes/run.ts'
export { MARKER_UNSEEN } from './findings.ts'

/** At equal weight the cause that comes first here is the more specific one. */
const CAUSES = [
  runCauses,
  nothingAccepted,
  signatureCauses,
  bodyCauses,
  headerCauses,
  windowCauses,
  contentCauses,
  eventCauses,
  statusCauses,
  moneyCauses,
  duplicateCauses,
  effectCauses,
] as const

/** More causes than these are a list of failures again. */
const MOST_CAUSES = 3

/**
 * The causes behind the failures of a run, the one that explains most first; each explains failures that no earlier one
 * does. None without a failure, and none that a single delivery disproves.
 */
export function diagnose(verdicts: readonly Verdict[], findings: Findings = NO_FINDINGS): Candidate[] {
  const evidence = evidenceOf(verdicts, findings)
  const left = new Set(evidence.open)
  const failed = () => [...left].filter(isFailure)
  if (failed().length === 0) return nothingTested(evidence)
  const candidates = CAUSES.flatMap((recognize) => recognize(evidence))
  const causes = new Map<string, Candidate>()
  for (;;) {
    const best = heaviest(candidates, left)
    if (best === undefined) break
    for (const verdict of best.explains) left.delete(verdict)
    const same = causes.get(best.code)
    if (same === undefined && causes.size === MOST_CAUSES) break
    // Two forms of one mistake are one cause.
    causes.set(
      best.code,
      same === undefined ? best : { ...same, explains: new Set([...same.explains, ...best.explains]) },
    )
  }
  return [...causes.values()]
}

/** The candidate that explains most of what is left, without what is explained already. */
function heaviest(candidates: readonly Candidate[], left: ReadonlySet<Verdict>): Candidate | undefined {
  const among = (verdicts: Iterable<Verdict>) => [...verdicts].filter((verdict) => left.has(verdict))
  let best: Candidate | undefined
  let weight = 0
  for (const candidate of candidates) {
    const proven = among(candidate.explains)
    const failures = proven.filter(isFailure).length
    const conflicts = among(candidate.conflicts ?? []).filter((verdict) => !proven.includes(verdict))
    if (failures === 0 || failures < conflicts.length) continue
    const explains = new Set([...proven, ...among(candidate.also ?? [])])
    const all = [...explains].filter(isFailure).length
    if (all > weight) {
      best = { ...candidate, explains }
      weight = all
    }
  }
  return best
}

/** Nothing failed, and nothing could be tested either. */
function nothingTested(evidence: Evidence): Candidate[] {
  const unseen = evidence.verdicts.some(({ reason }) => reason === MARKER_UNSEEN)
  return unseen ? effectCauses(evidence).slice(0, 1) : []
}

const isFailure = ({ outcome }: Verdict) => outcome === 'failed'
