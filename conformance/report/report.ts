import type {
  ConformanceReport,
  ReportAnswer,
  ReportDelivery,
  ReportExchange,
  ReportVerdict,
} from '../../schemas/types.ts'
import {
  type Exchange,
  type Mode,
  type Outcome,
  type Profile,
  SEVERITIES,
  type Verdict,
} from '../case/model.ts'
import { headerLines } from '../deliver/http.ts'
import { diagnose } from '../diagnose/diagnosis.ts'
import type { Target } from '../run/target.ts'
import { conclude } from '../run/verdict.ts'
import { packageVersion } from '../version.ts'
import { redactor, secretHider, valueHider } from './redact.ts'

/** How much of a body is shown, in bytes; of an answer, in characters. */
const SHOWN_BYTES = 4096

/** What a run knows when it is over. */
export interface RunSummary {
  readonly target: Target
  readonly started: boolean
  readonly startedAt: Date
  readonly durationMs: number
  readonly profile: Profile
  readonly mode: Mode
  readonly seed: string
  readonly skewSeconds: number | undefined
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
  readonly excluded: readonly { readonly case: string; readonly reason: string }[]
  /** In the order of the catalogue. */
  readonly verdicts: readonly Verdict[]
}

/** Turns a finished run into its report: plain data without secrets, from which every format is made. */
export function toReport(summary: RunSummary): ConformanceReport {
  const { target, verdicts, startedAt, skewSeconds, selection } = summary
  const redact = redactor(target.secret)
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
    diagnosis: diagnose(verdicts, skewSeconds) ?? null,
    clockSkewSeconds: skewSeconds ?? null,
    counts: count(verdicts),
    selection: { only: [...selection.only], skip: [...selection.skip] },
    excluded: [...summary.excluded],
    verdicts: verdicts.map((verdict) => toVerdict(verdict, summary, redact)),
  }
}

function toVerdict(verdict: Verdict, summary: RunSummary, redact: (text: string) => string): ReportVerdict {
  const { case: one, outcome, problems } = verdict
  // The case tells of the worst; where nothing is as bad as that, it is not said.
  const { impact, fix } = problems.every(({ guidance }) => guidance !== undefined)
    ? (problems[0]?.guidance ?? one)
    : one
  return {
    case: one.id,
    section: one.section,
    title: one.title,
    level: one.level,
    outcome,
    severity:
      SEVERITIES.find((severity) => problems.some((problem) => problem.severity === severity)) ?? null,
    spec: { number: one.number, sentence: one.spec },
    durationMs: round(verdict.durationMs),
    problems: problems.map(({ expected, received }) => ({ expected, received: redact(received) })),
    reason: verdict.reason === undefined ? null : redact(verdict.reason),
    exchanges: verdict.exchanges.map((exchange) => toExchange(exchange, summary.target, redact)),
    impact,
    fix,
    reproduce: outcome === 'failed' || outcome === 'warning' ? reproduce(one.id, summary) : null,
  }
}

/** The command that fires the case once more: signed anew, with the same events. */
function reproduce(id: string, { target, seed, mode, started }: RunSummary): string {
  const live = mode === 'live' ? ['--mode', 'live'] : []
  if (started) return command('check', '--only', id, '--seed', seed, ...live)
  const { signatureHeader, url, secret } = target
  const header = signatureHeader === 'X-Service-Signature' ? [] : ['--signature-header', signatureHeader]
  const own = target.headers.flatMap(([name]) => ['--header', `${name}: [not shown]`])
  return secretHider(secret)(command('send', id, shownUrl(url), '--seed', seed, ...header, ...own, ...live))
}

/** What stands in a query may open a server just as a header may, so it is named but not shown. */
function shownUrl(url: URL): string {
  const names = [...url.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=[not shown]`)
  return `${url.origin}${url.pathname}${names.length === 0 ? '' : `?${names.join('&')}`}`
}

/** One line for a shell, which would else take the query of a URL apart. */
function command(...words: string[]): string {
  const quoted = words.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`,
  )
  return `npx hookproof ${quoted.join(' ')}`
}

function toExchange(exchange: Exchange, target: Target, redact: (text: string) => string): ReportExchange {
  const { delivery, answer, error } = exchange
  return {
    label: delivery.change ?? 'genuine delivery',
    role: delivery.role,
    delivery: toDelivery(exchange, target, redact),
    answer: answer === undefined ? null : toAnswer(answer, target, redact),
    error: error?.message ?? (exchange.unanswered === true ? 'broken off as planned' : null),
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
    // What the user gives may open a staging server, so it is named but not shown.
    own.has(name) ? '[not shown]' : shorten(redact(value)),
  ])
  return {
    event: delivery.event ?? null,
    paymentId: delivery.paymentId ?? null,
    change: delivery.change ?? null,
    method: delivery.method,
    path: redact(shownUrl(target.url).slice(target.url.origin.length)),
    headers,
    body: toBody(delivery.body, redact),
    transport: delivery.transport?.kind ?? null,
  }
}

function toAnswer(
  answer: NonNullable<Exchange['answer']>,
  target: Target,
  redact: (text: string) => string,
): ReportAnswer {
  const hide = valueHider([...target.headers.map(([, value]) => value), ...target.url.searchParams.values()])
  // Redacted before it is cut: half a secret would not be found.
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

/** Strict decoding, so that a report never shows a body other than it was; a cut may fall inside a character. */
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
  const counts = { passed: 0, failed: 0, warning: 0, untested: 0 }
  for (const { outcome } of verdicts) counts[outcome] += 1
  return counts
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10
}
