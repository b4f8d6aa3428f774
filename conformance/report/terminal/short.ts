import type { ConformanceReport, ReportVerdict } from '../../../schemas/types.ts'
import { openingOf, remarkOf } from '../causes.ts'
import { type Example, examplesFor, explainCommand } from '../examples.ts'
import { cardsOf, type FailureCard, groupsOf } from '../failures.ts'
import { bySeverity, groupedBy, withOutcome } from '../summary.ts'
import { counted, countOf, HEADINGS, LABELS } from '../wording.ts'
import {
  conclusion,
  cut,
  exampleBlock,
  exampleHint,
  heading,
  height,
  row,
  type Style,
  sections,
  shownCase,
  unwrappedRow,
  verdictLine,
  withoutResult,
  wrapped,
} from './parts.ts'

/** A report longer than a screen is not read to its end. */
const MOST_LINES = 40

/** How many characters of a body are shown. */
const SHOWN_BODY = 120

/** How many characters of what was received, beside a failure that has no card. */
const SHOWN_RECEIVED = 60

/** How many problems of the failure on a card: a crash may have one for each payment. */
const SHOWN_PROBLEMS = 2

/** Of so few warnings each is shown with its fix. */
const MOST_WITH_FIX = 3

/** How much of a report is shown. */
interface Detail {
  /** The table of the sections. */
  readonly table: boolean
  /** How many groups of failures, or cases, each list names. */
  readonly named: number
  /** How many examples of code. */
  readonly code: number
  /** How many failures without a known cause have a card. */
  readonly cards: number
  /** How many cards show what was sent and received. */
  readonly evidence: number
  /** How many cards have their fix: the others have the command that explains them. All by default. */
  readonly fixes?: number
  /** Of the code, only how it reads the raw body. */
  readonly isBeginning?: true
  /** With what the code imports, so that it is an entire file. */
  readonly hasSetup?: true
}

/** From the most to the least: what says least goes first. */
const REDUCED: readonly Detail[] = [
  { table: true, named: 5, code: 2, cards: 3, evidence: 6 },
  { table: false, named: 8, code: 2, cards: 3, evidence: 6 },
  { table: false, named: 5, code: 2, cards: 3, evidence: 2 },
  { table: false, named: 3, code: 2, cards: 3, evidence: 1 },
  { table: false, named: 3, code: 2, cards: 1, evidence: 1 },
  { table: false, named: 3, code: 1, cards: 1, evidence: 1 },
  { table: false, named: 3, code: 1, cards: 0, evidence: 1 },
  { table: false, named: 2, code: 1, cards: 0, evidence: 0 },
  { table: false, named: 0, code: 1, cards: 1, evidence: 0 },
  { table: false, named: 0, code: 1, cards: 0, evidence: 0 },
  { table: false, named: 0, code: 1, cards: 0, evidence: 0, fixes: 1 },
  { table: false, named: 3, code: 1, cards: 1, evidence: 1, isBeginning: true },
  { table: false, named: 2, code: 1, cards: 0, evidence: 0, isBeginning: true },
  { table: false, named: 0, code: 1, cards: 0, evidence: 0, isBeginning: true },
  { table: false, named: 0, code: 1, cards: 0, evidence: 0, fixes: 1, isBeginning: true },
  { table: false, named: 0, code: 0, cards: 1, evidence: 0 },
  { table: false, named: 0, code: 0, cards: 0, evidence: 0 },
]

/** Entire files are shown as long as no card has to go for them. */
const DETAILS: readonly Detail[] = [
  ...REDUCED.filter(({ cards }) => cards === 3).map((detail) => ({ ...detail, hasSetup: true as const })),
  ...REDUCED,
]

/** At most 40 lines: a card for each cause, and the rest as far as it fits. */
export function renderShort(report: ConformanceReport, notes: readonly string[], style: Style): string {
  const texts = DETAILS.map((detail) => () => rendered(report, notes, style, detail))
  const fits = texts.find((text) => height(text().trimEnd(), style.columns) <= MOST_LINES)
  return (fits ?? texts.at(-1) ?? (() => ''))()
}

function rendered(report: ConformanceReport, notes: readonly string[], style: Style, detail: Detail): string {
  const { colors: c } = style
  const opening = openingOf(report)
  const remark = remarkOf(report)
  const { cards, others } = cardsOf(report, detail.cards)
  // An example follows the first card that it helps with; without room for all, those of the first cards stay.
  const placed = examplesFor(report)
    .map((example) => ({
      example,
      at: cards.findIndex(({ cause }) => example.causes.includes(cause ?? '')),
    }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, detail.code)
  const examplesAt = (place: number) =>
    placed
      .filter(({ at }) => at === place)
      .map(({ example }) => exampleBlock(shownOf(example, detail), style))
  const isFirstOther = (card: FailureCard, index: number) =>
    index > 0 && card.cause === undefined && cards[index - 1]?.cause !== undefined
  const blocks = [
    [
      verdictLine(report, style, opening?.title),
      ...(remark === null ? [] : [wrapped(c.bold(remark), style)]),
      heading(report, style),
    ].join('\n'),
    ...cards.flatMap((card, index) => [
      isFirstOther(card, index) ? c.bold(HEADINGS.otherFailures) : '',
      cardBlock(card, style, {
        hasEvidence: index < detail.evidence,
        said: opening?.said ?? [],
        explain:
          card.cause !== undefined && index >= (detail.fixes ?? Number.POSITIVE_INFINITY)
            ? explainCommand(card.cause, report)
            : undefined,
      }),
      ...examplesAt(index),
    ]),
    ...examplesAt(-1),
    ...lists(report, others, detail, style),
    notes.join('\n'),
    detail.table ? sections(report, style) : '',
    exampleHint(report),
    more(report, others, detail, style),
    conclusion(report, style),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function shownOf(example: Example, { isBeginning, hasSetup }: Detail): Example {
  if (isBeginning) return beginningOf(example)
  return hasSetup ? example : { ...example, code: example.parts.join('\n') }
}

/** Of code that helps because of the body, the part that reads the raw one, which is the mistake; of other code, all. */
function beginningOf(example: Example): Example {
  const [reading, ...others] = example.parts
  const isForReading = example.causes.some((code) => code.startsWith('body_') || code === 'nothing_accepted')
  if (reading === undefined || others.length === 0 || !isForReading) return example
  return { ...example, title: `${example.title}: ${HEADINGS.beginning}`, code: reading }
}

/**
 * A cause, or failures with the same impact and fix, with one of its cases.
 *
 * @param explain the command that explains the cause, instead of its fix
 */
function cardBlock(
  { title, severity, fix, cases, first, cause = '', docsUrl }: FailureCard,
  style: Style,
  {
    hasEvidence,
    said,
    explain,
  }: {
    readonly hasEvidence: boolean
    readonly said: readonly string[]
    readonly explain: string | undefined
  },
): string {
  const { colors: c } = style
  const count =
    severity === null
      ? counted(cases, 'case without a result', 'cases without a result')
      : counted(cases, 'failure')
  const tag = c.dim(`[${severity === null ? '' : `${severity}, `}${count}]`)
  const heading = said.includes(cause) ? [] : [wrapped(`${c.red('x')} ${c.bold(title)} ${tag}`, style)]
  if (explain !== undefined) return [...heading, unwrappedRow(LABELS.fix, explain, style)].join('\n')
  return [
    ...heading,
    row(LABELS.fix, fix, style),
    ...(docsUrl === undefined ? [] : [unwrappedRow(LABELS.docs, docsUrl, style)]),
    ...(first === undefined ? [] : [row(LABELS.case, c.bold(first.case), style)]),
    ...(first !== undefined && hasEvidence ? shownCase(briefly(first), style, 2, SHOWN_BODY) : []),
  ].join('\n')
}

/** A verdict with its first problems only. */
const briefly = (verdict: ReportVerdict): ReportVerdict => ({
  ...verdict,
  problems: verdict.problems.slice(0, SHOWN_PROBLEMS),
})

/** Lists that name a few cases of each kind; none when there is no room. Warnings say little beside failures. */
function lists(
  report: ConformanceReport,
  others: readonly ReportVerdict[],
  detail: Detail,
  style: Style,
): string[] {
  if (detail.named === 0) return []
  const warnings = bySeverity(withOutcome(report, 'warning'))
  return [
    hidden(others, detail, style),
    report.counts.failed > 0 ? '' : named(HEADINGS.warnings, warnings, detail, style),
    withoutResult(report, 'inconclusive', style),
    withoutResult(report, 'untested', style),
  ]
}

/** The counts of what is not named, and where it is. */
function more(
  report: ConformanceReport,
  others: readonly ReportVerdict[],
  detail: Detail,
  style: Style,
): string {
  const { counts, causes = [] } = report
  if (counts.failed + counts.warning === 0) return ''
  const isBrief = detail.named === 0
  const parts = [
    isBrief && others.length > 0 ? counted(others.length, 'other failure') : '',
    counts.warning > 0 && (isBrief || counts.failed > 0) ? countOf('warning', counts.warning) : '',
    ...(['inconclusive', 'untested'] as const).map((outcome) =>
      isBrief && counts[outcome] > 0 ? countOf(outcome, counts[outcome]) : '',
    ),
  ].filter((part) => part !== '')
  const [first] = causes
  const left = examplesFor(report).length > detail.code || detail.isBeginning === true
  const code = detail.code > 0 ? 'More code' : 'Code for the fix'
  const all = `${left ? `${code} and all details` : 'All details'}: --verbose, or --report html=report.html`
  const rest = first === undefined ? all : `${all}. The cause: ${explainCommand(first.code, report)}`
  const line = parts.length === 0 ? rest : `Also: ${parts.join(', ')}. ${rest}`
  return style.colors.dim(wrapped(line, style))
}

/** Failures without a card, each kind in one line with its count. */
function hidden(others: readonly ReportVerdict[], detail: Detail, style: Style): string {
  if (others.length === 0) return ''
  const groups = groupedBy(groupsOf(others).flat(), ({ impact }) => impact)
  const shown = groups.slice(0, detail.named)
  const lines = shown.map((group) => {
    const [first] = group
    const received = first?.problems[0]?.received ?? ''
    const example = [
      group.length === 1 ? first?.case : `${first?.case} and ${group.length - 1} more`,
      ...(received === '' ? [] : [`received: ${cut(received, SHOWN_RECEIVED)}`]),
    ].join('; ')
    return wrapped(`${first?.impact} ${style.colors.dim(`(${example})`)}`, style, 2)
  })
  const rest = others.length - shown.flat().length
  const kinds = groups.length - shown.length
  const more = rest > 0 ? [`  and ${counted(rest, 'failure')} of ${counted(kinds, 'other kind')}`] : []
  return [style.colors.bold(`${HEADINGS.moreFailures}: ${others.length}`), ...lines, ...more].join('\n')
}

/** Cases of which a few are named. */
function named(title: string, verdicts: readonly ReportVerdict[], detail: Detail, style: Style): string {
  if (verdicts.length === 0) return ''
  const withFix = verdicts.length <= MOST_WITH_FIX
  const shown = verdicts
    .slice(0, detail.named)
    .map((verdict) =>
      [
        wrapped(`${verdict.case}: ${verdict.problems[0]?.received ?? verdict.reason}`, style, 2),
        ...(withFix ? [row(LABELS.fix, verdict.fix, style, 4)] : []),
      ].join('\n'),
    )
  const rest = verdicts.length - shown.length
  const more = rest > 0 ? [`  and ${rest} more`] : []
  return [style.colors.bold(`${title}: ${verdicts.length}`), ...shown, ...more].join('\n')
}
