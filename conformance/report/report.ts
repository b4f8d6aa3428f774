import type {
  ConformanceReport,
  ReportCrash,
  ReportExcluded,
  ReportProblem,
  ReportVerdict,
} from '../../schemas/types.ts'
import { conclude } from '../contracts/verdict.ts'
import type { ContractVersion } from '../contracts/webhook/model.ts'
import {
  type Mode,
  type Outcome,
  type Problem,
  type ReportProfile,
  SEVERITIES,
  type Verdict,
} from '../contracts/webhook/model.ts'
import type { Target } from '../contracts/webhook/target.ts'
import type { Candidate } from '../diagnosis/cause.ts'
import type { End } from '../diagnosis/statement.ts'
import type { Terms } from '../diagnosis/verifier.ts'
import { headlineOf, skewLine, toReportCauses } from './causes.ts'
import { roundMs, type Shown, shownFor } from './exchange.ts'
import { guidanceFor, mainProblem } from './guidance.ts'
import { causeUrl, docsUrl, packageVersion } from './package.ts'
import { frameworksFor } from './recognize.ts'
import { ownTextRedactor, shownUrl } from './redact.ts'
import { type ReproduceWith, reproduce } from './reproduce.ts'
import type { Framework } from './snippets.ts'
import { excerpt, oneLine } from './text.ts'
import { endText } from './words/causes/run.ts'
import { expectedText, reasonText, receivedText } from './words/findings.ts'

/** Shorter stalls are not worth a line, in milliseconds. */
const SHOWN_STALL_MS = 1_000

/** The result of a finished run. */
export interface RunSummary {
  readonly target: Target
  readonly started: boolean
  readonly startedAt: Date
  readonly durationMs: number
  readonly profile: ReportProfile
  readonly contract: ContractVersion
  /** The service, where it is not the payment service of SPEC.md. */
  readonly service?: string | undefined
  /** How the service signs. */
  readonly signing: Terms
  readonly mode: Mode
  readonly seed: string
  readonly skewSeconds: number | undefined
  /** How long this process stalled, in milliseconds. */
  readonly stalledMs?: number
  /** Whether a signal ended the run. */
  readonly isInterrupted?: boolean
  /** Whether the run ended with its first section, because no valid delivery was accepted. */
  readonly endedEarly?: boolean
  /** How the process of the receiver ended during the run. */
  readonly end?: End | undefined
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
  readonly reproduceWith: ReproduceWith
  /** The framework that the user named. */
  readonly framework?: Framework | undefined
  readonly excluded: readonly ReportExcluded[]
  /** In the order of the catalogue. */
  readonly verdicts: readonly Verdict[]
  /** What is behind the failures. A crash is no cause of what else a receiver does wrong: its verdicts say what happened. */
  readonly causes?: readonly Candidate[]
  /** What a run of crashes did, and the command that repeats the roundMs of a verdict. */
  readonly crash?: { readonly figures: ReportCrash; readonly reproduce: (verdict: Verdict) => string }
}

/** Turns a finished run into its report: plain data without secrets, the input of every format. */
export function toReport(summary: RunSummary): ConformanceReport {
  const { target, verdicts, startedAt, skewSeconds, selection, stalledMs = 0 } = summary
  const redact = ownTextRedactor(target.secret)
  const shown = shownFor(target)
  const reported = verdicts.map((verdict) => toVerdict(verdict, summary, redact, shown))
  const causes = toReportCauses(summary.causes ?? [], summary.signing, reported)
  const headline = headlineOf(causes, verdicts)
  const [framework, ...otherFrameworks] = frameworksFor(reported, causes, summary.framework, summary.causes)
  return {
    hookproof: packageVersion(),
    startedAt: startedAt.toISOString(),
    durationMs: roundMs(summary.durationMs),
    target: { url: redact(shownUrl(target.url)), started: summary.started },
    profile: summary.profile,
    contract: summary.contract,
    ...(summary.service !== undefined && { service: summary.service }),
    mode: summary.mode,
    seed: summary.seed,
    toleranceSeconds: summary.signing.windowSeconds,
    conclusion: conclude(verdicts),
    diagnosis: (summary.end && endText(summary.end)) ?? headline?.text ?? skewLine(skewSeconds),
    ...(headline?.brief !== undefined && { diagnosisInBrief: headline.brief }),
    causes: causes.map((cause) => ({ ...cause, docsUrl: causeUrl(cause.code, framework) })),
    ...(framework !== undefined && { framework }),
    ...(otherFrameworks.length > 0 && { otherFrameworks }),
    clockSkewSeconds: skewSeconds ?? null,
    ...(stalledMs >= SHOWN_STALL_MS && { stalledMs: roundMs(stalledMs) }),
    ...(summary.isInterrupted === true && { interrupted: true as const }),
    ...(summary.endedEarly === true && { endedEarly: 'nothing_accepted' as const }),
    counts: count(verdicts),
    selection: { only: [...selection.only], skip: [...selection.skip] },
    excluded: [...summary.excluded],
    verdicts: reported,
    ...(summary.crash !== undefined && { crash: summary.crash.figures }),
  }
}

function toVerdict(
  verdict: Verdict,
  summary: RunSummary,
  redact: (text: string) => string,
  shown: Shown,
): ReportVerdict {
  const { case: testCase, outcome, problems } = verdict
  const main = outcome === 'inconclusive' ? undefined : mainProblem(problems)
  const { impact, fix } = main === undefined ? testCase : guidanceFor(testCase, main, verdict.exchanges)
  return {
    case: testCase.id,
    section: testCase.section,
    title: testCase.title,
    level: testCase.level,
    outcome,
    severity: severityOf(verdict),
    spec: {
      number: testCase.number,
      sentence: testCase.spec,
      ...(testCase.contract !== undefined && {
        contract: testCase.contract.name,
        source: testCase.contract.source,
      }),
    },
    durationMs: roundMs(verdict.durationMs),
    problems: problems.map((problem) => toProblem(problem, shown, redact)),
    reason: verdict.reason === undefined ? null : redact(oneLine(reasonText(verdict.reason))),
    exchanges: verdict.exchanges.map(shown.exchange),
    impact,
    fix,
    reproduce:
      outcome === 'passed' || outcome === 'untested'
        ? null
        : (summary.crash?.reproduce(verdict) ??
          reproduce(testCase.id, testCase.needs === 'effects', summary, shownBy(problems))),
    ...(testCase.contract === undefined && { docsUrl: docsUrl(testCase.id) }),
  }
}

/** The case whose deliveries show what a case that judges the entire run has found. */
function shownBy(problems: readonly Problem[]): string | undefined {
  const [found] = problems.flatMap(({ wrong }) => {
    if (wrong.code === 'disclosed_in_the_run') return wrong.first
    if (wrong.code === 'wrong_later') return wrong.wrong[0] ?? []
    return wrong.code === 'lost' ? (wrong.lost[0] ?? []) : []
  })
  return found?.case
}

function toProblem(problem: Problem, shown: Shown, redact: (text: string) => string): ReportProblem {
  const answer = problem.exchanges?.[0]?.answer
  const body = answer === undefined ? undefined : excerpt(shown.answer(answer).body.text)
  const expected = expectedText(problem.expected)
  return { expected, received: redact(oneLine(receivedText(problem))), ...(body !== undefined && { body }) }
}

/** The most severe of the problems; an inconclusive case puts nothing at risk. */
function severityOf({ outcome, problems }: Verdict): ReportVerdict['severity'] {
  if (outcome === 'inconclusive') return null
  return SEVERITIES.find((severity) => problems.some((problem) => problem.severity === severity)) ?? null
}

function count(verdicts: readonly Verdict[]): Record<Outcome, number> {
  const counts = { passed: 0, failed: 0, warning: 0, inconclusive: 0, untested: 0 }
  for (const { outcome } of verdicts) counts[outcome] += 1
  return counts
}
