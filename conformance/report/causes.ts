import type { ConformanceReport, ReportCause, ReportVerdict } from '../../schemas/types.ts'
import type { Verdict } from '../contracts/webhook/model.ts'
import type { Candidate } from '../diagnosis/cause.ts'
import { evidenceOf } from '../diagnosis/cover.ts'
import type { Terms } from '../diagnosis/verifier.ts'
import { failuresInBrief, simplest } from './failures.ts'
import { bySeverity } from './summary.ts'
import { counted } from './wording.ts'
import { causeText } from './words/causes/causes.ts'

/** The causes as a report holds them: the first case of each is the one that a report shows, and that the sentence is about. */
export function toReportCauses(
  candidates: readonly Candidate[],
  service: Terms,
  reported: readonly ReportVerdict[] = [],
): ReportCause[] {
  return candidates.map((cause) => {
    const shown = shownOf(cause, reported)
    const { sentence, fix, rawBody } = causeText(about(cause, shown), service)
    const verdicts = new Set([...(shown === undefined ? [] : [shown]), ...cause.explains])
    const cases = [...verdicts].map(({ case: { id } }) => id)
    return { code: cause.code, sentence, fix, ...(rawBody && { rawBody }), cases }
  })
}

/** The verdict that shows a cause best, of those that give evidence of it. */
function shownOf(cause: Candidate, reported: readonly ReportVerdict[]): Verdict | undefined {
  const evidence = [...evidenceOf(cause)]
  const named = evidence.filter((verdict) => cause.changes?.has(verdict))
  const usable = named.length > 0 ? named : evidence
  const failures = reported.filter(
    ({ case: id, outcome }) => outcome === 'failed' && usable.some((verdict) => verdict.case.id === id),
  )
  const best = simplest(bySeverity(failures))
  return usable.find(({ case: { id } }) => id === best?.case) ?? usable[0]
}

/** The cause with the delivery of the verdict that is shown. */
function about(cause: Candidate, shown: Verdict | undefined): Candidate {
  if (cause.changes === undefined || shown === undefined) return cause
  return { ...cause, data: { ...cause.data, change: cause.changes.get(shown) } } as Candidate
}

/** The first line of a report. */
export interface Headline {
  /** How many failures have which cause: `20 failures, one cause: the signature is computed over re-serialized JSON.` */
  readonly text: string
  /** The same without the sentences of several causes: `20 failures, 2 causes.` */
  readonly brief?: string
}

/** Says how many failures have which cause; undefined without a cause. */
export function headlineOf(
  causes: readonly ReportCause[],
  verdicts: readonly (Pick<Verdict, 'case' | 'outcome'> & Partial<Pick<Verdict, 'reason'>>)[],
): Headline | undefined {
  const [first] = causes
  if (first === undefined) return undefined
  const silenced = verdicts.filter(({ reason }) => reason?.code === 'stopped_answering').length
  if (first.code === 'stopped_answering' && silenced > 0) {
    const others = headlineOf(causes.slice(1), verdicts)
    const opening = `${withoutStop(first.sentence)}. ${counted(silenced, 'case')} not judged.`
    return { text: others === undefined ? opening : `${opening} ${others.text}` }
  }
  const failed = new Set(verdicts.filter(({ outcome }) => outcome === 'failed').map(({ case: { id } }) => id))
  const explained = causes.map(({ cases }) => cases.filter((id) => failed.has(id)).length)
  const sum = explained.reduce((total, count) => total + count, 0)
  if (explained[0] === 0) {
    const others = failed.size === 0 ? undefined : headlineOf(causes.slice(1), verdicts)
    const opening = `${counted(first.cases.length, 'case')} without a result: ${clause(first)}.`
    return { text: others === undefined ? opening : `${opening} ${others.text}` }
  }
  const all = sum === failed.size
  if (causes.length === 1) {
    if (failed.size === 1) return { text: `1 failure: ${clause(first)}.` }
    return {
      text: all
        ? `${failed.size} failures, one cause: ${clause(first)}.`
        : `${sum} of ${failed.size} failures ${sum === 1 ? 'has' : 'have'} one cause: ${clause(first)}.`,
    }
  }
  const clauses = causes.map(
    (cause, index) => `${clause(cause)} (${counted(explained[index] ?? 0, 'failure')})`,
  )
  const head = all
    ? `${failed.size} failures, ${causes.length} causes`
    : `${sum} of ${failed.size} failures have ${causes.length} causes`
  return { text: `${head}: ${clauses.join('; ')}.`, brief: `${head}.` }
}

/** A remark about a clock by which everything was graded. */
export function skewLine(skewSeconds: number | undefined): string | null {
  if (skewSeconds === undefined || skewSeconds === 0) return null
  const direction = skewSeconds > 0 ? 'ahead of' : 'behind'
  return `The receiver's clock is ${Math.abs(skewSeconds)} s ${direction} this machine's clock; deliveries were signed by the receiver's clock.`
}

/** What opens a report: its first line, and the rows below it. */
export interface Opening {
  readonly headline: string
  /** The first line above the cards of several causes, which say each; it has the sentence of a single one. */
  readonly title: string
  /** The codes of the causes whose sentences the title has. */
  readonly said: readonly string[]
  readonly rows: readonly (readonly [label: 'Cause' | 'Fix' | 'Docs', text: string])[]
}

/** What opens a report in every format, before anything else: the causes, or else what failed; undefined without a failure. */
export function openingOf(report: ConformanceReport): Opening | undefined {
  const { causes = [], diagnosis, diagnosisInBrief, counts } = report
  if (causes.length === 0 || diagnosis === null) {
    const text = failuresInBrief(report)
    return text === undefined ? undefined : { headline: text, title: text, said: [], rows: [] }
  }
  // Without a failure the first line has the first cause only.
  const named = diagnosisInBrief !== undefined ? [] : counts.failed === 0 ? causes.slice(0, 1) : causes
  return {
    headline: diagnosis,
    title: diagnosisInBrief ?? diagnosis,
    said: named.map(({ code }) => code),
    rows: causes.flatMap(({ sentence, fix, docsUrl }) => [
      // The first line has the sentence of a single cause.
      ...(causes.length === 1 ? [] : [['Cause', sentence] as const]),
      ['Fix', fix] as const,
      ...(docsUrl === undefined ? [] : [['Docs', docsUrl] as const]),
    ]),
  }
}

/** What a report without a cause says below its first line: a remark about a clock, or how the receiver ended; otherwise null. */
export const remarkOf = ({ causes = [], diagnosis }: ConformanceReport): string | null =>
  causes.length === 0 ? diagnosis : null

/** The address of the page of the cause that explains a case; undefined when none does. */
export const causeUrlOf = (id: string, { causes = [] }: ConformanceReport): string | undefined =>
  causes.find(({ cases }) => cases.includes(id))?.docsUrl

/** The cause that explains a case, as one line; undefined when none does. */
export function causeOf(id: string, { causes, diagnosis }: ConformanceReport): string | undefined {
  if (causes === undefined || causes.length === 0) return diagnosis ?? undefined
  return causes.find(({ cases }) => cases.includes(id))?.sentence
}

/** The sentence as a part of another one. */
function clause({ sentence }: ReportCause): string {
  const text = withoutStop(sentence)
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

/** A text to be continued, without its full stop. */
function withoutStop(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text
}
