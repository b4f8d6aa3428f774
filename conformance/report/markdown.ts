import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { escapeMarkdown as text } from './escape.ts'
import { grade } from './grade.ts'
import {
  bySeverity,
  excludedLine,
  groupedByRequirement,
  notesOf,
  sectionsOf,
  tally,
  targetOf,
  withOutcome,
} from './summary.ts'
import { CONCLUSIONS, HEADINGS, LABELS, OUTCOMES } from './wording.ts'

/** A comment on a pull request holds at most 65,536 characters. Verdicts that do not fit are counted, never cut. */
const DETAILS_CHARACTERS = 50_000
const MOST_UNTESTED = 50

/** The report as Markdown for the summary of a pull request: conclusion, grade, counts, and what to fix. */
export function renderMarkdown(report: ConformanceReport): string {
  const { letter, rule } = grade(report)
  const untested = withOutcome(report, 'untested')
  const blocks = [
    `## hookproof: ${CONCLUSIONS[report.conclusion]}, grade ${letter}`,
    `**${CONCLUSIONS[report.conclusion]}** ${text(tally(report))} ${text(excludedLine(report.excluded))}`.trimEnd(),
    `**Grade ${letter}:** ${text(rule)}`,
    report.diagnosis === null ? '' : `> **${text(report.diagnosis)}**`,
    notesOf(report)
      .map((note) => `- ${text(note)}`)
      .join('\n'),
    table(report),
    ...list(HEADINGS.failures, bySeverity(withOutcome(report, 'failed'))),
    ...list(HEADINGS.warnings, withOutcome(report, 'warning')),
    ...(untested.length === 0 ? [] : [`### ${HEADINGS.untested}`, reasons(untested)]),
    facts(report),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function table(report: ConformanceReport): string {
  const rows = sectionsOf(report).map(({ title, counts }) =>
    [title, ...OUTCOMES.map((outcome) => (counts[outcome] === 0 ? '' : String(counts[outcome])))]
      .map(text)
      .join(' | '),
  )
  return ['Section | Passed | Failed | Warnings | Not tested', '--- | ---: | ---: | ---: | ---:', ...rows]
    .map((row) => `| ${row} |`)
    .join('\n')
}

function list(title: string, verdicts: readonly ReportVerdict[]): string[] {
  if (verdicts.length === 0) return []
  const blocks: string[] = []
  let listed = 0
  let room = DETAILS_CHARACTERS
  for (const group of groupedByRequirement(verdicts)) {
    const block = details(group)
    if (block.length > room) break
    room -= block.length
    listed += group.length
    blocks.push(block)
  }
  const more = verdicts.length - listed
  const rest = more === 0 ? [] : [`And ${more} more, which do not fit here: see the HTML report.`]
  return [`### ${title}`, ...blocks, ...rest]
}

/** HTML without an empty line, so that no Markdown in it is interpreted. */
function details(group: readonly ReportVerdict[]): string {
  const [first] = group
  if (first === undefined) return ''
  const count = group.length === 1 ? '' : ` (${group.length} cases)`
  const cases = group.flatMap(({ case: id, problems, reproduce }) => [
    `<li><code>${text(id)}</code><ul>`,
    ...problems.map(
      ({ expected, received }) =>
        `<li>${LABELS.expected}: ${text(expected)}. ${LABELS.received}: ${text(received)}.</li>`,
    ),
    ...(reproduce === null ? [] : [`<li>${LABELS.reproduce}: <code>${text(reproduce)}</code></li>`]),
    '</ul></li>',
  ])
  return [
    '<details>',
    `<summary><b>${text(first.severity ?? 'protocol')}</b> ${text(first.spec.number)} ${text(first.spec.sentence)}${count}</summary>`,
    `<p><b>${LABELS.impact}:</b> ${text(first.impact)}<br><b>${LABELS.fix}:</b> ${text(first.fix)}</p>`,
    '<ul>',
    ...cases,
    '</ul>',
    '</details>',
  ].join('\n')
}

function reasons(untested: readonly ReportVerdict[]): string {
  return [
    '<details>',
    `<summary>${untested.length === 1 ? '1 case' : `${untested.length} cases`}</summary>`,
    '<ul>',
    ...untested
      .slice(0, MOST_UNTESTED)
      .map(({ case: id, reason }) => `<li><code>${text(id)}</code>: ${text(reason ?? '')}</li>`),
    ...(untested.length > MOST_UNTESTED ? [`<li>and ${untested.length - MOST_UNTESTED} more</li>`] : []),
    '</ul>',
    '</details>',
  ].join('\n')
}

function facts(report: ConformanceReport): string {
  const { hookproof, mode, seed, startedAt } = report
  return `<sub>hookproof ${text(hookproof)}, ${text(targetOf(report))}, ${mode} mode, seed ${text(seed)}, ${text(startedAt)}</sub>`
}
