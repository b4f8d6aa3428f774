import { SEVERITIES, type Verdict } from '../contracts/payment-service/model.ts'
import type { Candidate } from './cause.ts'
import { acknowledgedRefusals } from './causes/acknowledged-refusals.ts'
import { blockedPayments } from './causes/blocked-payment.ts'
import { bodyCauses } from './causes/body.ts'
import { bypassCauses } from './causes/bypass.ts'
import { contentCauses } from './causes/content.ts'
import { disclosureCauses } from './causes/disclosure.ts'
import { duplicateCauses } from './causes/duplicates.ts'
import { effectCauses, unreadableEffects } from './causes/effects.ts'
import { endedInRun } from './causes/entire/ended.ts'
import { probedCauses } from './causes/entire/probed.ts'
import { runCauses } from './causes/entire/run.ts'
import { stoppedAnswering } from './causes/entire/silence.ts'
import { eventCauses } from './causes/events.ts'
import { framingCauses } from './causes/framing.ts'
import { headerCauses } from './causes/header.ts'
import { historyCauses } from './causes/history.ts'
import { moneyCauses } from './causes/money.ts'
import { nameCauses } from './causes/names.ts'
import { nothingAccepted } from './causes/nothing-accepted.ts'
import { orderNumberCauses } from './causes/order-number.ts'
import { signatureCauses } from './causes/signature.ts'
import { statusCauses } from './causes/statuses.ts'
import { storageCauses } from './causes/storage.ts'
import { windowCauses } from './causes/window.ts'
import { cover, isFailure } from './cover.ts'
import { evidenceOf, isOpen } from './evidence.ts'
import { type Findings, NO_FINDINGS } from './findings.ts'
import { jointCauses } from './joint.ts'

export { MOST } from './causes/entire/run.ts'

/** At equal weight the cause that comes first here is the more specific one. */
const CAUSES = [
  runCauses,
  probedCauses,
  disclosureCauses,
  acknowledgedRefusals,
  blockedPayments,
  nothingAccepted,
  signatureCauses,
  bypassCauses,
  bodyCauses,
  headerCauses,
  windowCauses,
  contentCauses,
  framingCauses,
  eventCauses,
  statusCauses,
  storageCauses,
  nameCauses,
  moneyCauses,
  orderNumberCauses,
  duplicateCauses,
  historyCauses,
  effectCauses,
] as const

/** Causes that explain less than this share of the failures would lead away from the others. */
const LEAST_SHARE = 0.5

/** A run of fewer cases shows that something is wrong, but hardly ever why. */
const FEWEST_CASES = 5

/** What a run has tested. */
export interface Scope {
  /** Whether only some cases of the profile were selected, so that those may be missing which tell two causes apart. */
  readonly isNarrowed: boolean
  /** One sentence about a receiver whose process ended during the run. */
  readonly ended?: string | undefined
}

/**
 * The causes behind the failures of a run, the most severe first; each explains failures that no other one
 * does. None without a failure, none that a single delivery disproves, and in a run of selected cases none that is only
 * one of several which fit.
 */
export function diagnose(
  verdicts: readonly Verdict[],
  findings: Findings = NO_FINDINGS,
  scope: Scope = { isNarrowed: false },
): Candidate[] {
  const observed = [
    endedInRun(verdicts, scope.ended),
    unreadableEffects(verdicts),
    stoppedAnswering(verdicts, findings),
  ]
  const first = observed.filter((cause) => cause !== undefined)
  const left = verdicts.filter(
    (verdict) => !isOpen(verdict) || !first.some(({ explains }) => explains.has(verdict)),
  )
  return [...first, ...causesOf(left, findings, scope)]
}

function causesOf(verdicts: readonly Verdict[], findings: Findings, { isNarrowed }: Scope): Candidate[] {
  if (!verdicts.some(isFailure)) return nothingTested(verdicts, findings)
  const evidence = evidenceOf(verdicts, findings)
  const isFew = isNarrowed && verdicts.length < FEWEST_CASES
  const all = CAUSES.flatMap((recognize) => recognize(evidence))
  const candidates = isFew ? all.filter(({ observed }) => observed === true) : all
  const single = cover(candidates, evidence, isNarrowed)
  if (isFew || unexplained(single, verdicts) === 0) return enough(single, verdicts)
  const joint = cover([...jointCauses(evidence), ...candidates], evidence, isNarrowed)
  const isBetter = unexplained(joint, verdicts) < unexplained(single, verdicts)
  return enough(isBetter ? joint : single, verdicts)
}

/** The failures that no cause explains. */
function unexplained(causes: readonly Candidate[], verdicts: readonly Verdict[]): number {
  return verdicts.filter(
    (verdict) => isFailure(verdict) && !causes.some(({ explains }) => explains.has(verdict)),
  ).length
}

/** The causes, the most severe first, if they explain enough of what failed. */
function enough(causes: readonly Candidate[], verdicts: readonly Verdict[]): Candidate[] {
  const failures = verdicts.filter(isFailure).length
  const explained = failures - unexplained(causes, verdicts)
  return explained >= failures * LEAST_SHARE ? bySeverity(causes) : []
}

/** What ended the receiver comes first, then what puts most at risk; at equal severity the order is kept. */
function bySeverity(causes: readonly Candidate[]): Candidate[] {
  const rank = ({ first, precedes, explains }: Candidate) => {
    if (first === true) return -2
    if (precedes === true) return -1
    const problems = [...explains].filter(isFailure).flatMap((verdict) => verdict.problems)
    const severest = SEVERITIES.findIndex((one) => problems.some(({ severity }) => severity === one))
    return severest === -1 ? SEVERITIES.length : severest
  }
  return causes.toSorted((a, b) => rank(a) - rank(b))
}

/** Nothing failed, but the effects of no payment were seen. */
function nothingTested(verdicts: readonly Verdict[], findings: Findings): Candidate[] {
  const isUnseen = verdicts.some(({ reason }) => reason?.code === 'control_effect_unseen')
  return isUnseen ? effectCauses(evidenceOf(verdicts, findings)).slice(0, 1) : []
}
