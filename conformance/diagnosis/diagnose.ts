import type { WebhookContract } from '../contracts/webhook/contract.ts'
import { SEVERITIES, type Verdict } from '../contracts/webhook/model.ts'
import type { Silence } from '../engine/pace/silence.ts'
import type { Candidate } from './cause.ts'
import { bodyCauses } from './causes/body.ts'
import { concurrencyCauses } from './causes/concurrency.ts'
import { contentCauses, framingCauses } from './causes/content.ts'
import { currencyCauses } from './causes/currencies.ts'
import { blockedPayments, duplicateCauses, orderNumberCauses } from './causes/duplicates.ts'
import { eventCauses } from './causes/events.ts'
import { acknowledgedRefusals, bypassCauses } from './causes/forgeries.ts'
import { headerCauses } from './causes/header.ts'
import { historyCauses } from './causes/history.ts'
import { moneyCauses, nameCauses } from './causes/money.ts'
import { nothingAccepted } from './causes/nothing-accepted.ts'
import { redeliveryCauses } from './causes/redeliveries.ts'
import { disclosureCauses, statusCauses } from './causes/responses.ts'
import {
  effectCauses,
  endedInRun,
  probedCauses,
  runCauses,
  stoppedAnswering,
  unreadableEffects,
} from './causes/run.ts'
import { signatureCauses } from './causes/signature.ts'
import { storageCauses } from './causes/storage.ts'
import { windowCauses } from './causes/window.ts'
import { cover, isFailure } from './cover.ts'
import { investigate, type Send } from './investigate/investigate.ts'
import { jointCauses } from './joint.ts'
import type { End } from './statement.ts'
import { type FoundAfterwards, isOpen, NOTHING_FOUND, symptomsOf } from './symptoms.ts'

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
  currencyCauses,
  orderNumberCauses,
  duplicateCauses,
  concurrencyCauses,
  redeliveryCauses,
  historyCauses,
  effectCauses,
] as const

/** Causes that explain less than this share of the failures would lead away from the others. */
const LEAST_SHARE = 0.5

/** A run of fewer cases shows that something is wrong, but hardly ever why. */
const FEWEST_CASES = 5

/** What a run has shown. */
export interface Run {
  /** The service whose contract was tested. */
  readonly service: WebhookContract
  readonly verdicts: readonly Verdict[]
  /** Whether only some cases of the profile were selected, so that those may be missing which tell two causes apart. */
  readonly isNarrowed: boolean
  /** How the process of the receiver ended during the run. */
  readonly end?: End | undefined
  /** What was under way when the receiver stopped answering, which ended the run. */
  readonly silence?: Silence | undefined
}

/**
 * The causes behind the failures of a run, the most severe first; each explains failures that no other one
 * does. None without a failure, none that a single delivery disproves, and in a run of selected cases none that is only
 * one of several which fit.
 *
 * @param send by what more is sent to tell causes apart; undefined where the receiver is gone
 */
export async function diagnose(run: Run, send: Send | undefined): Promise<Candidate[]> {
  return causesFrom(run, send === undefined ? NOTHING_FOUND : await investigate(run, send))
}

/** The causes by what the run has shown, and what was found out after it. */
export function causesFrom(run: Run, found: FoundAfterwards = NOTHING_FOUND): Candidate[] {
  const { verdicts, end, silence } = run
  const observed = [
    endedInRun(verdicts, end),
    unreadableEffects(verdicts),
    stoppedAnswering(verdicts, silence),
  ]
  const first = observed.filter((cause) => cause !== undefined)
  const left = verdicts.filter(
    (verdict) => !isOpen(verdict) || !first.some(({ explains }) => explains.has(verdict)),
  )
  return [...first, ...othersFrom({ ...run, verdicts: left }, found)]
}

function othersFrom(run: Run, found: FoundAfterwards): Candidate[] {
  const { verdicts, isNarrowed } = run
  if (!verdicts.some(isFailure)) return nothingTested(run, found)
  const symptoms = symptomsOf(run, found)
  const isFew = isNarrowed && verdicts.length < FEWEST_CASES
  const all = CAUSES.flatMap((recognize) => recognize(symptoms))
  const candidates = isFew ? all.filter(({ observed }) => observed === true) : all
  const single = cover(candidates, symptoms, isNarrowed)
  if (isFew || unexplained(single, verdicts) === 0) return enough(single, verdicts)
  const joint = cover([...jointCauses(symptoms), ...candidates], symptoms, isNarrowed)
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
  return explained >= failures * LEAST_SHARE ? severestFirst(causes) : []
}

/** What ended the receiver comes first, then what puts most at risk; at equal severity the order is kept. */
function severestFirst(causes: readonly Candidate[]): Candidate[] {
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
function nothingTested(run: Run, found: FoundAfterwards): Candidate[] {
  const isUnseen = run.verdicts.some(({ reason }) => reason?.code === 'control_effect_unseen')
  return isUnseen ? effectCauses(symptomsOf(run, found)).slice(0, 1) : []
}
