import type {
  ConformanceReport,
  ReportAnswer,
  ReportCrash,
  ReportDelivery,
  ReportExchange,
  ReportProblem,
  ReportVerdict,
} from '../../schemas/types.ts'
import { guidanceFor, mainProblem } from '../case/guidance.ts'
import {
  type Exchange,
  type Mode,
  type Outcome,
  type Problem,
  type ReportProfile,
  SEVERITIES,
  type Verdict,
} from '../case/model.ts'
import type { ContractVersion } from '../contract/versions.ts'
import { headerLines } from '../deliver/head.ts'
import { diagnose } from '../diagnose/diagnosis.ts'
import type { Findings } from '../diagnose/findings.ts'
import type { ReproduceWith } from '../options.ts'
import type { Target } from '../run/target.ts'
import { conclude } from '../run/verdict.ts'
import { packageVersion } from '../version.ts'
import { causesOf, headlineOf, skewLine } from './causes.ts'
import { excerpt } from './excerpt.ts'
import { frameworkFor } from './frameworks/framework-for.ts'
import type { Framework } from './frameworks/frameworks.ts'
import { ownTextRedactor, redactor, valueHider } from './redact.ts'
import { reproduce } from './reproduce.ts'
import { hiddenValues, shownUrl } from './url.ts'

/** How much of a body is kept: in bytes for a delivery, in characters for an answer. */
const SHOWN_BYTES = 4096
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
  readonly mode: Mode
  readonly seed: string
  readonly skewSeconds: number | undefined
  /** How long this process stalled, in milliseconds. */
  readonly stalledMs?: number
  /** One sentence about a receiver that ended during the run. */
  readonly ended: string | undefined
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
  readonly reproduceWith: ReproduceWith
  /** The framework that the user named. */
  readonly framework?: Framework | undefined
  readonly excluded: readonly { readonly case: string; readonly reason: string }[]
  /** In the order of the catalogue. */
  readonly verdicts: readonly Verdict[]
  /** What was found out about failures after the cases. */
  readonly findings?: Findings
  /** What a run of crashes did, and the command that repeats the round of a verdict. */
  readonly crash?: { readonly figures: ReportCrash; readonly reproduce: (verdict: Verdict) => string }
}

/** Turns a finished run into its report: plain data without secrets, the input of every format. */
export function toReport(summary: RunSummary): ConformanceReport {
  const { target, verdicts, startedAt, skewSeconds, selection, stalledMs = 0 } = summary
  const redact = ownTextRedactor(target.secret)
  const isNarrowed = selection.only.length + selection.skip.length > 0
  // A crash is no cause of what else the receiver does wrong: each of its verdicts says what happened.
  const causes =
    summary.crash === undefined ? causesOf(diagnose(verdicts, summary.findings, { isNarrowed })) : []
  const shown = verdicts.map((verdict) => toVerdict(verdict, summary, redact))
  const framework = frameworkFor(shown, causes, summary.framework)
  return {
    hookproof: packageVersion(),
    startedAt: startedAt.toISOString(),
    durationMs: round(summary.durationMs),
    target: { url: redact(shownUrl(target.url)), started: summary.started },
    profile: summary.profile,
    contract: summary.contract,
    mode: summary.mode,
    seed: summary.seed,
    toleranceSeconds: 300,
    conclusion: conclude(verdicts),
    diagnosis: summary.ended ?? headlineOf(causes, verdicts) ?? skewLine(skewSeconds),
    causes,
    ...(framework !== undefined && { framework }),
    clockSkewSeconds: skewSeconds ?? null,
    ...(stalledMs >= SHOWN_STALL_MS && { stalledMs: round(stalledMs) }),
    counts: count(verdicts),
    selection: { only: [...selection.only], skip: [...selection.skip] },
    excluded: [...summary.excluded],
    verdicts: shown,
    ...(summary.crash !== undefined && { crash: summary.crash.figures }),
  }
}

function toVerdict(verdict: Verdict, summary: RunSummary, redact: (text: string) => string): ReportVerdict {
  const { case: testCase, outcome, problems } = verdict
  const main = outcome === 'inconclusive' ? undefined : mainProblem(problems)
  const { impact, fix } = main === undefined ? testCase : guidanceFor(testCase, main)
  return {
    case: testCase.id,
    section: testCase.section,
    title: testCase.title,
    level: testCase.level,
    outcome,
    severity: severityOf(verdict),
    spec: { number: testCase.number, sentence: testCase.spec },
    durationMs: round(verdict.durationMs),
    problems: problems.map((problem) => toProblem(problem, summary.target, redact)),
    reason: verdict.reason === undefined ? null : redact(verdict.reason),
    exchanges: verdict.exchanges.map((exchange) => toExchange(exchange, summary.target, redact)),
    impact,
    fix,
    reproduce:
      outcome === 'passed' || outcome === 'untested'
        ? null
        : (summary.crash?.reproduce(verdict) ??
          reproduce(testCase.id, testCase.needs === 'effects', summary)),
  }
}

function toProblem(
  { expected, received, exchanges }: Problem,
  target: Target,
  redact: (text: string) => string,
): ReportProblem {
  const answer = exchanges?.[0]?.answer
  const body = answer === undefined ? undefined : excerpt(toAnswer(answer, target).body.text)
  return { expected, received: redact(received), ...(body !== undefined && { body }) }
}

/** The most severe of the problems; an inconclusive case puts nothing at risk. */
function severityOf({ outcome, problems }: Verdict): ReportVerdict['severity'] {
  if (outcome === 'inconclusive') return null
  return SEVERITIES.find((severity) => problems.some((problem) => problem.severity === severity)) ?? null
}

function toExchange(exchange: Exchange, target: Target, redact: (text: string) => string): ReportExchange {
  const { delivery, answer, error } = exchange
  return {
    label: delivery.change ?? 'valid delivery',
    role: delivery.role,
    delivery: toDelivery(exchange, target, redact),
    answer: answer === undefined ? null : toAnswer(answer, target),
    error: error?.message ?? (exchange.unanswered === true ? 'aborted as planned' : null),
  }
}

function toDelivery(
  { delivery }: Exchange,
  target: Target,
  redact: (text: string) => string,
): ReportDelivery {
  const own = new Set(target.headers.map(([name]) => name))
  const headers = headerLines(delivery, target).map(([name, value]): [string, string] => [
    name,
    // A header of the user may hold the credentials of a staging server, so its value is not shown.
    own.has(name) ? '[not shown]' : shorten(redact(value)),
  ])
  return {
    event: delivery.event ?? null,
    paymentId: delivery.paymentId ?? null,
    change: delivery.change ?? null,
    method: delivery.method,
    path: redact((delivery.route ?? ((path) => path))(shownUrl(target.url).slice(target.url.origin.length))),
    headers,
    body: toBody(delivery.body, redact),
    transport: delivery.transport?.kind ?? null,
  }
}

function toAnswer(answer: NonNullable<Exchange['answer']>, target: Target): ReportAnswer {
  const hide = valueHider([...target.headers.map(([, value]) => value), ...hiddenValues(target.url)])
  // Redact before cutting: half a secret would not be found.
  const redact = redactor(target.secret)
  const clean = (text: string) => redact(hide(text))
  const text = decode(answer.body, answer.truncated)
  return {
    status: answer.status,
    headers: answer.headers.map(([name, value]): [string, string] => [name, shorten(clean(value))]),
    body: {
      text: text === undefined ? '[not UTF-8]' : clean(text).slice(0, SHOWN_BYTES),
      bytes: answer.body.length,
      truncated: answer.truncated || answer.body.length > SHOWN_BYTES,
    },
    ms: round(answer.ms),
  }
}

function toBody(bytes: Buffer, redact: (text: string) => string): ReportDelivery['body'] {
  const truncated = bytes.length > SHOWN_BYTES
  const shown = truncated ? bytes.subarray(0, SHOWN_BYTES) : bytes
  const decoded = decode(shown, truncated)
  // No page can show NUL: the bytes of UTF-16 are no text here, although they are valid UTF-8.
  const text = decoded?.includes('\0') === true ? undefined : decoded
  return {
    text: text === undefined ? null : redact(text),
    base64: text === undefined ? shown.toString('base64') : null,
    bytes: bytes.length,
    truncated,
  }
}

/** Decodes strictly, so that a report never shows a different body; the cut may be inside a character. */
function decode(bytes: Buffer, cut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut })
  } catch {
    return undefined
  }
}

function shorten(value: string): string {
  return value.length > 512 ? `${value.slice(0, 512)}... (${value.length} characters)` : value
}

function count(verdicts: readonly Verdict[]): Record<Outcome, number> {
  const counts = { passed: 0, failed: 0, warning: 0, inconclusive: 0, untested: 0 }
  for (const { outcome } of verdicts) counts[outcome] += 1
  return counts
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
