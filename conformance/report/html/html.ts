import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { ConformanceReport, ReportExchange, ReportVerdict } from '../../../schemas/types.ts'
import type { Outcome } from '../../contracts/model.ts'
import { openingOf, remarkOf } from '../causes.ts'
import { bundledLine, notShown, tally, titleOf } from '../conclusion.ts'
import { type Example, exampleCommand, examplesFor } from '../examples.ts'
import { withOneFix } from '../failures.ts'
import { GRADES, grade, type Letter } from '../grade.ts'
import {
  baselineLine,
  bySeverity,
  contractName,
  hasGrade,
  notesOf,
  reasonsFor,
  receiverName,
  sectionsOf,
  withOutcome,
} from '../summary.ts'
import { escapeHtml } from '../text.ts'
import {
  CONCLUSIONS,
  counted,
  HEADINGS,
  LABELS,
  OUTCOME_COLUMNS,
  OUTCOME_NAMES,
  OUTCOMES,
} from '../wording.ts'

/** Templates write `<%= value %>` escaped; `<%~ markup %>` is for our own markup alone. */
const templates = new Eta({
  views: fileURLToPath(new URL('.', import.meta.url)),
  cache: true,
  escapeFunction: (value) => escapeHtml(String(value)),
})

/**
 * The report as one HTML page that loads nothing, so that it can be opened from a disk or kept as an artifact. Its
 * Content-Security-Policy allows only its own style and script, whatever the responses in it contain.
 */
export function renderHtml(report: ConformanceReport): string {
  const style = read('page.css')
  const script = read('script.js')
  return templates.render('/page', {
    ...viewOf(report),
    prose,
    withFlags,
    style,
    styleHash: sha256(style),
    script,
    scriptHash: sha256(script),
  })
}

/** Markup of a sentence of the contract or the catalogue, in which backquotes mark code. */
function prose(sentence: string): string {
  return escapeHtml(sentence).replace(/`([^`<>]+)`/g, '<code>$1</code>')
}

/** Markup of plain text with commands, whose options stay on one line. */
function withFlags(text: string): string {
  return escapeHtml(text).replace(/(?<=^|[\s(])--[a-z-]{1,30}/g, '<span class="flag">$&</span>')
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

function sha256(source: string): string {
  return createHash('sha256').update(source).digest('base64')
}

/** The class that colors an outcome; its name is always shown too. */
const TONES = {
  passed: 'good',
  failed: 'bad',
  warning: 'warn',
  inconclusive: 'warn',
  untested: 'warn',
} as const satisfies Record<Outcome, string>

/** Within a section, the cases that need attention come first. */
const CASE_ORDER: readonly Outcome[] = ['failed', 'warning', 'inconclusive', 'untested', 'passed']

/** How many items of a list are shown before the rest folds away. */
const SHOWN_ITEMS = 8

/** Several cases with one impact and fix, or with one reason for not being tested. */
interface Card {
  readonly tone: 'bad' | 'warn'
  readonly severity: string | null
  readonly title: string
  readonly fix: string | null
  /** The address of the page of a cause. */
  readonly docsUrl?: string | undefined
  readonly ids: readonly string[]
  /** How many of them are failures, where others follow from the same cause. */
  readonly failures?: number
  /** The code that helps. */
  readonly examples?: readonly Example[]
}

/** The data of the templates: plain text, which they escape. */
function viewOf(report: ConformanceReport) {
  const { letter, rule } = grade(report)
  const example = exampleCommand(report)
  return {
    labels: LABELS,
    names: OUTCOME_NAMES,
    columns: OUTCOME_COLUMNS,
    tones: TONES,
    shownItems: SHOWN_ITEMS,
    sizeOf,
    resultOf,
    conclusion: CONCLUSIONS[report.conclusion],
    title: titleOf(report),
    grade: hasGrade(report) ? { letter, rule, tone: toneOf(letter) } : null,
    grades: [...new Set(GRADES.map((entry) => entry.letter))].map((each) => ({
      letter: each,
      rules: GRADES.filter((entry) => entry.letter === each).map((entry) => entry.rule),
    })),
    tally: tally(report),
    bar: barOf(report),
    notShown: [...notShown(report), bundledLine(report)].join(' ').trim(),
    headings: HEADINGS,
    diagnosis: [openingOf(report)?.title, remarkOf(report)].filter(Boolean).join(' '),
    notes: [
      ...notesOf(report),
      baselineLine(report),
      ...(example === undefined ? [] : [`${example.heading}: ${example.command}`]),
    ].filter((note) => note !== ''),
    facts: factsOf(report),
    fixes: fixesOf(report),
    counts: report.counts,
    // A filter or a column for an outcome that does not occur would be useless.
    outcomes: OUTCOMES.filter((outcome) => report.counts[outcome] > 0),
    sections: sectionsOf(report).map((section) => ({
      ...section,
      verdicts: report.verdicts
        .filter((verdict) => verdict.section === section.id)
        .toSorted((a, b) => CASE_ORDER.indexOf(a.outcome) - CASE_ORDER.indexOf(b.outcome)),
    })),
  }
}

const toneOf = (letter: Letter) => (letter.startsWith('A') ? 'good' : letter === 'B' ? 'warn' : 'bad')

function barOf({ counts, verdicts }: ConformanceReport) {
  let x = 0
  const parts = OUTCOMES.map((outcome) => {
    const part = { x, width: counts[outcome], tone: TONES[outcome] }
    x += counts[outcome]
    return part
  })
  return { width: Math.max(1, verdicts.length), parts: parts.filter(({ width }) => width > 0) }
}

function factsOf(report: ConformanceReport): [name: string, value: string][] {
  return [
    ['Receiver', receiverName(report)],
    ['Profile', report.profile],
    ['Contract', contractName(report)],
    ['Mode', report.mode],
    ['Seed', report.seed],
    ['Started', report.startedAt],
    ['hookproof', report.hookproof],
  ]
}

function fixesOf(report: ConformanceReport) {
  const { causes = [] } = report
  const examples = examplesFor(report)
  const failures = bySeverity(withOutcome(report, 'failed'))
  const isExplained = ({ case: id }: ReportVerdict) => causes.some(({ cases }) => cases.includes(id))
  const others = groupCards(
    failures.filter((verdict) => !isExplained(verdict)),
    'bad',
  )
  // A diagnosis without causes explains nearly all failures, so one card is enough.
  const most = report.diagnosis === null || causes.length > 0 ? SHOWN_ITEMS : 1
  const part = (id: string, title: string, cards: readonly Card[], shown: number) => ({
    id,
    title,
    shown: cards.slice(0, shown),
    folded: cards.slice(shown),
    // It helps against failures without a known cause.
    examples: id === 'failed' ? examples.filter((example) => example.causes.length === 0) : [],
  })
  return [
    part('causes', HEADINGS.causes, causeCards(report, failures, examples), SHOWN_ITEMS),
    part('failed', causes.length > 0 ? HEADINGS.otherFailures : HEADINGS.failures, others, most),
    part('warning', HEADINGS.warnings, groupCards(bySeverity(withOutcome(report, 'warning')), 'warn'), most),
    part('inconclusive', HEADINGS.inconclusive, reasonCards(report, 'inconclusive'), SHOWN_ITEMS),
    part('untested', HEADINGS.untested, reasonCards(report, 'untested'), SHOWN_ITEMS),
  ].filter(({ shown }) => shown.length > 0)
}

/** The causes, each with its cases, the most severe first. */
function causeCards(
  { causes = [] }: ConformanceReport,
  failures: readonly ReportVerdict[],
  examples: readonly Example[],
): Card[] {
  return causes.map(({ code, sentence, fix, cases, docsUrl }) => {
    const own = failures.filter(({ case: id }) => cases.includes(id))
    return {
      tone: 'bad',
      severity: own[0]?.severity ?? null,
      title: sentence,
      fix,
      docsUrl,
      examples: examples.filter((example) => example.causes[0] === code),
      failures: own.length,
      ids: [...idsOf(own), ...cases.filter((id) => !own.some((verdict) => verdict.case === id))],
    }
  })
}

function groupCards(verdicts: readonly ReportVerdict[], tone: Card['tone']): Card[] {
  return withOneFix(verdicts).flatMap((group) =>
    group.slice(0, 1).map(({ severity, impact, fix }) => ({
      tone,
      severity: severity ?? 'protocol',
      title: impact,
      fix,
      ids: idsOf(group),
    })),
  )
}

function reasonCards(report: ConformanceReport, outcome: 'inconclusive' | 'untested'): Card[] {
  return reasonsFor(report, outcome).map(({ reason, cases }) => ({
    tone: 'warn',
    severity: null,
    title: reason.charAt(0).toUpperCase() + reason.slice(1),
    fix: null,
    ids: cases,
  }))
}

function idsOf(verdicts: readonly ReportVerdict[]): string[] {
  return verdicts.map(({ case: id }) => id)
}

function sizeOf({ bytes, truncated }: { bytes: number; truncated: boolean }): string {
  const size = `body: ${counted(bytes, 'byte')}`
  return truncated ? `${size}, shortened here` : size
}

/** What became of an exchange, in a few words. */
function resultOf({ answer, error }: ReportExchange): string {
  return answer === null ? (error ?? 'no response') : `${answer.status} in ${answer.ms} ms`
}
