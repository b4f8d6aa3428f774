import { shellQuoted } from '../../fixtures/shell.ts'
import type {
  ConformanceReport,
  ReportAnswer,
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
  type Profile,
  SEVERITIES,
  type Verdict,
} from '../case/model.ts'
import { headerLines } from '../deliver/http.ts'
import { diagnose } from '../diagnose/diagnosis.ts'
import type { Target } from '../run/target.ts'
import { conclude } from '../run/verdict.ts'
import { packageVersion } from '../version.ts'
import { excerpt } from './excerpt.ts'
import { ownTextHider, ownTextRedactor, redactor, valueHider } from './redact.ts'

/** How much of a body is kept: in bytes for a delivery, in characters for an answer. */
const SHOWN_BYTES = 4096

/** The result of a finished run. */
export interface RunSummary {
  readonly target: Target
  readonly started: boolean
  readonly startedAt: Date
  readonly durationMs: number
  readonly profile: Profile
  readonly mode: Mode
  readonly seed: string
  readonly skewSeconds: number | undefined
  /** One sentence about a receiver that ended during the run. */
  readonly ended: string | undefined
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
  readonly excluded: readonly { readonly case: string; readonly reason: string }[]
  /** In the order of the catalogue. */
  readonly verdicts: readonly Verdict[]
}

/** Turns a finished run into its report: plain data without secrets, the input of every format. */
export function toReport(summary: RunSummary): ConformanceReport {
  const { target, verdicts, startedAt, skewSeconds, selection } = summary
  const redact = ownTextRedactor(target.secret)
  return {
    hookproof: packageVersion(),
    startedAt: startedAt.toISOString(),
    durationMs: round(summary.durationMs),
    target: { url: redact(shownUrl(target.url)), started: summary.started },
    profile: summary.profile,
    mode: summary.mode,
    seed: summary.seed,
    toleranceSeconds: 300,
    conclusion: conclude(verdicts),
    diagnosis: summary.ended ?? diagnose(verdicts, skewSeconds) ?? null,
    clockSkewSeconds: skewSeconds ?? null,
    counts: count(verdicts),
    selection: { only: [...selection.only], skip: [...selection.skip] },
    excluded: [...summary.excluded],
    verdicts: verdicts.map((verdict) => toVerdict(verdict, summary, redact)),
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
    reproduce: outcome === 'passed' || outcome === 'untested' ? null : reproduce(testCase.id, summary),
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

/** The command that sends the case again: the same events, with new signatures. */
function reproduce(id: string, { target, seed, mode, started }: RunSummary): string {
  const live = mode === 'live' ? ['--mode', 'live'] : []
  if (started) return command('check', '--only', id, '--seed', seed, ...live)
  const { signatureHeader, url, secret } = target
  const header = signatureHeader === 'X-Service-Signature' ? [] : ['--signature-header', signatureHeader]
  const own = target.headers.flatMap(([name]) => ['--header', `${name}: [not shown]`])
  return ownTextHider(secret)(command('send', id, shownUrl(url), '--seed', seed, ...header, ...own, ...live))
}

/** A query may hold credentials, just as a header may, so only the names of its parameters are shown. */
function shownUrl(url: URL): string {
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=[not shown]`)
  return `${url.origin}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`
}

function command(...words: string[]): string {
  return `npx hookproof ${shellQuoted(words)}`
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
  const hide = valueHider([...target.headers.map(([, value]) => value), ...target.url.searchParams.values()])
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
  const text = decode(shown, truncated)
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
