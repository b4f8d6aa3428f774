import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { openingOf } from './causes.ts'
import { bundledLine, notShown, tally, titleOf } from './conclusion.ts'
import { exampleCommand, examplesFor } from './examples.ts'
import { BRIEF, splitFailures } from './failures.ts'
import { grade } from './grade.ts'
import {
  baselineLine,
  bySeverity,
  contractName,
  groupedByRequirement,
  hasGrade,
  notesOf,
  reasonsFor,
  receiverName,
  sectionsOf,
  sent,
  withOutcome,
} from './summary.ts'
import { escapeMarkdownCode as code, escapeMarkdown as text } from './text.ts'
import { CONCLUSIONS, counted, HEADINGS, LABELS, OUTCOME_COLUMNS, OUTCOMES } from './wording.ts'

/** A comment on a pull request holds at most 65,536 characters. Verdicts that do not fit are counted, never cut. */
const MOST_CHARACTERS = 65_000
const MOST_REASONS = 20
const MOST_CASES = 20

/** The report as Markdown for the summary of a pull request: conclusion, grade, counts, and what to fix. */
export function renderMarkdown(report: ConformanceReport): string {
  // What has details gets the room that everything else leaves.
  const room = MOST_CHARACTERS - blocksOf(report, 0).join('\n\n').length
  return `${blocksOf(report, Math.max(0, room)).join('\n\n')}\n`
}

/**
 * @param room how many characters the details may have
 */
function blocksOf(report: ConformanceReport, room: number): string[] {
  const { detailed, brief, briefTitle, oneCause } = splitFailures(report)
  const failures = list(HEADINGS.failures, detailed, room)
  const left = room - failures.join('\n\n').length
  const warnings = oneCause ? [] : bySeverity(withOutcome(report, 'warning'))
  const blocks = [
    ...conclusionOf(report),
    ...examples(report),
    ...failures,
    ...briefList(briefTitle, brief),
    ...list(HEADINGS.warnings, warnings, left),
    ...withoutResult(report, 'inconclusive'),
    ...withoutResult(report, 'untested'),
    table(report),
    facts(report),
  ]
  return blocks.filter((block) => block !== '')
}

/** Conclusion and grade, then the causes. */
function conclusionOf(report: ConformanceReport): string[] {
  const { letter, rule } = grade(report)
  const opening = openingOf(report)
  return [
    `## hookproof: ${titleOf(report)}`,
    `**${CONCLUSIONS[report.conclusion]}** ${text([tally(report), ...notShown(report), bundledLine(report)].join(' '))}`.trimEnd(),
    !hasGrade(report) ? '' : `**Grade ${letter}:** ${text(rule)}`,
    report.diagnosis === null ? '' : `> **${prose(report.diagnosis)}**`,
    ...(opening?.rows ?? []).map(
      ([label, line]) => `**${label}:** ${label === LABELS.docs ? linked(line) : prose(line)}`,
    ),
    text(baselineLine(report)),
    notesOf(report)
      .map((note) => `- ${text(note)}`)
      .join('\n'),
  ]
}

/** Code that helps against the failures. */
function examples(report: ConformanceReport): string[] {
  const command = exampleCommand(report)
  const hint = command === undefined ? [] : [`**${HEADINGS.exampleBy}:** ${text(command)}`]
  const shown = examplesFor(report).flatMap(({ title, language, code }) => [
    `**${HEADINGS.example} ${text(title)}:**`,
    `\`\`\`${language}\n${code}\n\`\`\``,
  ])
  return [...shown, ...hint]
}

function table(report: ConformanceReport): string {
  const rows = sectionsOf(report).map(({ title, counts }) =>
    [title, ...OUTCOMES.map((outcome) => (counts[outcome] === 0 ? '' : String(counts[outcome])))]
      .map(text)
      .join(' | '),
  )
  const columns = ['section', ...OUTCOMES.map((outcome) => OUTCOME_COLUMNS[outcome])].map(
    (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  )
  return [columns.join(' | '), ['---', ...OUTCOMES.map(() => '---:')].join(' | '), ...rows]
    .map((row) => `| ${row} |`)
    .join('\n')
}

function briefList(title: string, verdicts: readonly ReportVerdict[]): string[] {
  if (verdicts.length === 0) return []
  const shown = verdicts
    .slice(0, BRIEF)
    .map(({ case: id, problems }) => `- <code>${text(id)}</code>: ${text(problems[0]?.received ?? '')}`)
  const more = verdicts.length - shown.length
  const rest = more > 0 ? [`- and ${more} more (the JSON report lists all)`] : []
  return [`### ${text(title)}`, [...shown, ...rest].join('\n')]
}

/** Each reason once, with the cases that have it. */
function withoutResult(report: ConformanceReport, outcome: 'inconclusive' | 'untested'): string[] {
  const reasons = reasonsFor(report, outcome)
  if (reasons.length === 0) return []
  const count = report.counts[outcome]
  const list = [
    '<details>',
    `<summary>${counted(count, 'case')}</summary>`,
    '<ul>',
    ...reasons.slice(0, MOST_REASONS).map(({ reason, cases }) => {
      const shown = cases.slice(0, MOST_CASES).map((id) => `<code>${code(id)}</code>`)
      const more = cases.length > MOST_CASES ? ` and ${cases.length - MOST_CASES} more` : ''
      return `<li>${text(reason)}: ${shown.join(', ')}${more}</li>`
    }),
    ...(reasons.length > MOST_REASONS ? [`<li>and ${reasons.length - MOST_REASONS} more reasons</li>`] : []),
    '</ul>',
    '</details>',
  ]
  return [`### ${HEADINGS[outcome]}`, list.join('\n')]
}

function facts(report: ConformanceReport): string {
  const { hookproof, mode, seed, startedAt } = report
  return `<sub>hookproof ${text(hookproof)}, ${text(receiverName(report))}, contract ${text(contractName(report))}, ${mode} mode, seed ${text(seed)}, ${text(startedAt)}</sub>`
}

/**
 * Verdicts with their details by requirement, as many as fit; the rest is counted.
 *
 * @param characters how many characters they may have together
 */
function list(title: string, verdicts: readonly ReportVerdict[], characters: number): string[] {
  if (verdicts.length === 0) return []
  const blocks: string[] = []
  let listed = 0
  let room = characters
  for (const groups of groupedByRequirement(verdicts)) {
    const shown = fitting(groups, room)
    const block = details(shown)
    // The empty line after it counts too.
    room -= block.length + 2
    listed += shown.flat().length
    if (shown.length > 0) blocks.push(block)
    if (shown.length < groups.length) break
  }
  const more = verdicts.length - listed
  const rest = more === 0 ? [] : [`And ${more} more, which do not fit here: see the HTML report.`]
  return [`### ${title}`, ...blocks, ...rest]
}

/** A sentence of the contract or the catalogue, in which backquotes mark code. */
function prose(sentence: string): string {
  return text(sentence).replace(/&#96;((?:(?!&#96;).)+)&#96;/g, '<code>$1</code>')
}

/** The first of the groups, as many as fit together. */
function fitting(groups: readonly ReportVerdict[][], characters: number): ReportVerdict[][] {
  let room = characters - details(groups.slice(0, 1)).length
  if (room < 0) return []
  const rest = groups.slice(1).findIndex((group) => {
    // The separating line break counts too.
    room -= groupDetails(group).join('\n').length + 1
    return room < 0
  })
  return groups.slice(0, rest === -1 ? groups.length : rest + 1)
}

/** HTML without an empty line, so that no Markdown in it is interpreted. */
function details(groups: readonly ReportVerdict[][]): string {
  const all = groups.flat()
  const [first] = all
  if (first === undefined) return ''
  const count = all.length === 1 ? '' : ` (${all.length} cases)`
  return [
    '<details>',
    `<summary><b>${text(first.severity ?? 'protocol')}</b> ${text(first.spec.number)} ${prose(first.spec.sentence)}${count}</summary>`,
    ...groups.flatMap(groupDetails),
    '</details>',
  ].join('\n')
}

/** The impact and the fix that the cases share, then what each case sent and received. */
function groupDetails(group: readonly ReportVerdict[]): string[] {
  const [first] = group
  if (first === undefined) return []
  const cases = group.flatMap((verdict) => [
    `<li>${named(verdict)}<ul>`,
    `<li>${LABELS.sent}: ${text(sent(verdict))}.</li>`,
    ...verdict.problems.flatMap(({ expected, received, body }, index) => [
      expected === verdict.problems[index - 1]?.expected
        ? `<li>${LABELS.received}: ${text(received)}.</li>`
        : `<li>${LABELS.expected}: ${prose(expected)}. ${LABELS.received}: ${text(received)}.</li>`,
      ...(body === undefined ? [] : [`<li>${LABELS.body}: <code>${code(body)}</code></li>`]),
    ]),
    ...(verdict.reproduce === null
      ? []
      : [`<li>${LABELS.reproduce}: <code>${code(verdict.reproduce)}</code></li>`]),
    '</ul></li>',
  ])
  return [
    `<p><b>${LABELS.impact}:</b> ${prose(first.impact)}<br><b>${LABELS.fix}:</b> ${prose(first.fix)}</p>`,
    '<ul>',
    ...cases,
    '</ul>',
  ]
}

const linked = (address: string) => `<a href="${text(address)}">${HEADINGS.aboutCause}</a>`

/** The id of a case, with a link to its page. */
function named({ case: id, docsUrl }: ReportVerdict): string {
  const name = `<code>${code(id)}</code>`
  return docsUrl === undefined ? name : `<a href="${text(docsUrl)}">${name}</a>`
}
