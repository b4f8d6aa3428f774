import type { ConformanceReport, ReportVerdict } from '../../schemas/types.ts'
import { openingOf, remarkOf } from './causes.ts'
import { bundledLine, notShown, tally, titleOf } from './conclusion.ts'
import { type Example, exampleCommand, examplesFor } from './examples.ts'
import { cardsOf, type FailureCard } from './failures.ts'
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
import { markdownCode as code, shortened, escapeMarkdown as text } from './text.ts'
import { CONCLUSIONS, counted, HEADINGS, LABELS, namesIn, OUTCOME_COLUMNS, OUTCOMES } from './wording.ts'

/** A longer report is not read. What does not fit is counted, never cut. */
const MOST_BYTES = 19_500
/** A receiver's text is cut here: the other reports have all of it. */
const MOST_CHARACTERS = 300
/** A note, such as all known failures, is cut here. */
const MOST_OF_NOTE = 1_500
/** How many cases are named at a cause, a requirement or a reason. */
const MOST_CASES = 5
/** How many reasons are named for which cases have no result. */
const MOST_REASONS = 4

/** The report as Markdown for the summary of a pull request, readable unrendered too: conclusion, grade, what to fix, and counts. */
export function renderMarkdown(report: ConformanceReport): string {
  const before = conclusionOf(report)
  const after = [
    ...withoutResult(report, 'inconclusive'),
    ...withoutResult(report, 'untested'),
    table(report),
    facts(report),
  ]
  const room = roomFor(MOST_BYTES, [...before, ...after])
  const { cards, others } = cardsOf(report, 0)
  const blocks = [
    ...before,
    ...causes(report, cards, room),
    ...list(cards.length > 0 ? HEADINGS.otherFailures : HEADINGS.failures, bySeverity(others), room),
    ...list(HEADINGS.warnings, bySeverity(withOutcome(report, 'warning')), room),
    ...after,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** Takes what fits: a block and the empty line after it. */
type Room = (block: string) => boolean

function roomFor(bytes: number, taken: readonly string[]): Room {
  const sizeOf = (block: string) => Buffer.byteLength(block) + 2
  let left = bytes - taken.map(sizeOf).reduce((sum, size) => sum + size, 0)
  return (block) => {
    const fits = sizeOf(block) <= left
    if (fits) left -= sizeOf(block)
    return fits
  }
}

/** Conclusion, grade, and the first line about the causes. */
function conclusionOf(report: ConformanceReport): string[] {
  const { letter, rule } = grade(report)
  const first = [openingOf(report)?.title, remarkOf(report)].filter(Boolean).join(' ')
  return [
    `## hookproof: ${titleOf(report)}`,
    `**${CONCLUSIONS[report.conclusion]}** ${text([tally(report), ...notShown(report), bundledLine(report)].join(' '))}`.trimEnd(),
    hasGrade(report) ? `**Grade ${letter}:** ${text(rule)}` : '',
    text(baselineLine(report)),
    notesOf(report)
      .map((note) => `- ${text(shortened(note, MOST_OF_NOTE))}`)
      .join('\n'),
    first === '' ? '' : `> **${prose(first)}**`,
  ]
}

/** The causes, each with its fix and the code that helps below its title, and the code that helps against other failures. */
function causes(report: ConformanceReport, cards: readonly FailureCard[], room: Room): string[] {
  const examples = examplesFor(report)
  const ofCard = (example: Example) =>
    cards.findIndex(({ cause }) => cause !== undefined && example.causes.includes(cause))
  const said = openingOf(report)?.said ?? []
  const blocks: string[] = []
  let left = 0
  const add = (block: string): void => {
    if (room(block)) blocks.push(block)
    else left += 1
  }
  for (const [index, card] of cards.entries()) {
    add(cardBlock(card, report, cards.length === 1 && said.includes(card.cause ?? '')))
    for (const example of examples) if (ofCard(example) === index) add(exampleBlock(example))
  }
  // It helps against failures without a known cause, which follow.
  for (const example of examples) if (ofCard(example) === -1) add(exampleBlock(example))
  const example = exampleCommand(report)
  if (example !== undefined) add(`**${example.heading}:** ${code(example.command)}`)
  return [...blocks, ...(left === 0 ? [] : ['The HTML report has the rest of the causes and the code.'])]
}

/** @param isSaid whether the line above has the title */
function cardBlock(
  { title, severity, fix, cases, first, cause, docsUrl }: FailureCard,
  report: ConformanceReport,
  isSaid: boolean,
): string {
  const count = severity === null ? counted(cases, 'case without a result', 'cases without a result') : ''
  const tag = severity === null ? count : `${severity}, ${counted(cases, 'failure')}`
  const ids = report.causes?.find((one) => one.code === cause)?.cases ?? []
  const failed = new Set(withOutcome(report, 'failed').map((verdict) => verdict.case))
  const own = severity === null ? ids : ids.filter((id) => failed.has(id))
  const others = ids.length - own.length
  return [
    ...(isSaid ? [] : [`### ${prose(title)}`]),
    [
      `**${LABELS.fix}:** ${prose(fix)}`,
      ...(docsUrl === undefined ? [] : [`**${LABELS.docs}:** ${linked(HEADINGS.aboutCause, docsUrl)}`]),
      `**${LABELS.cases}** (${tag}): ${namedCases(own)}${others === 0 ? '' : `; and ${counted(others, 'warning or case without a result', 'warnings or cases without a result')}`}`,
    ].join('\\\n'),
    ...(first === undefined ? [] : [caseLines(first, true).join('\n')]),
  ].join('\n\n')
}

function exampleBlock({ title, language, code: lines }: Example): string {
  return `**${HEADINGS.example} ${text(title)}:**\n\n\`\`\`${language}\n${lines}\n\`\`\``
}

const namedCases = (ids: readonly string[]): string => namesIn(ids.map(code), MOST_CASES)

function table(report: ConformanceReport): string {
  const rows = sectionsOf(report).map(({ title, counts }) =>
    [title, ...OUTCOMES.map((outcome) => (counts[outcome] === 0 ? '' : String(counts[outcome])))]
      .map((cell) => text(cell).replaceAll('|', '\\|'))
      .join(' | '),
  )
  const columns = ['section', ...OUTCOMES.map((outcome) => OUTCOME_COLUMNS[outcome])].map(
    (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  )
  return [columns.join(' | '), ['---', ...OUTCOMES.map(() => '---:')].join(' | '), ...rows]
    .map((row) => `| ${row} |`)
    .join('\n')
}

/** Each reason once, with the cases that have it. */
function withoutResult(report: ConformanceReport, outcome: 'inconclusive' | 'untested'): string[] {
  const reasons = reasonsFor(report, outcome)
  if (reasons.length === 0) return []
  const more = reasons.length - MOST_REASONS
  return [
    `### ${HEADINGS[outcome]}: ${report.counts[outcome]}`,
    [
      ...reasons
        .slice(0, MOST_REASONS)
        .map(({ reason, cases }) => `- ${text(shortened(reason, MOST_CHARACTERS))}: ${namedCases(cases)}`),
      ...(more > 0 ? [`- and ${counted(more, 'more reason', 'more reasons')}`] : []),
    ].join('\n'),
  ]
}

function facts(report: ConformanceReport): string {
  const { hookproof, mode, seed, startedAt } = report
  const receiver = report.target.started ? receiverName(report) : code(receiverName(report))
  return `hookproof ${text(hookproof)}, ${receiver}, ${text(`contract ${contractName(report)}, ${mode} mode, seed ${seed}, ${startedAt}`)}`
}

/** Verdicts by requirement, as many as fit; the rest is counted. */
function list(title: string, verdicts: readonly ReportVerdict[], room: Room): string[] {
  if (verdicts.length === 0) return []
  const heading = `### ${title}: ${verdicts.length}`
  const last = (count: number) =>
    count === verdicts.length ? 'See the HTML report.' : `And ${count} more: see the HTML report.`
  if (!room(`${heading}\n\n${last(1)}`)) return []
  const blocks = groupedByRequirement(verdicts).flatMap((groups) =>
    groups.map((group, index) => ({
      size: group.length,
      block: [...(index === 0 ? [requirement(groups.flat())] : []), groupBlock(group)].join('\n\n'),
    })),
  )
  const end = blocks.findIndex(({ block }) => !room(block))
  const shown = end === -1 ? blocks : blocks.slice(0, end)
  const more = verdicts.length - shown.reduce((sum, { size }) => sum + size, 0)
  return [heading, ...shown.map(({ block }) => block), ...(more === 0 ? [] : [last(more)])]
}

/** The sentence of a requirement. @param verdicts of it */
function requirement(verdicts: readonly ReportVerdict[]): string {
  const count = verdicts.length === 1 ? '' : ` (${verdicts.length} cases)`
  return verdicts
    .slice(0, 1)
    .map(
      ({ severity, spec }) =>
        `**${text(severity ?? 'protocol')}** ${text(spec.number)} ${prose(spec.sentence)}${count}`,
    )
    .join('')
}

/** The impact and the fix that cases share, then the cases. */
function groupBlock(group: readonly ReportVerdict[]): string {
  const more = group.length - MOST_CASES
  return [
    ...group
      .slice(0, 1)
      .map(
        ({ impact, fix }) => `**${LABELS.impact}:** ${prose(impact)}\\\n**${LABELS.fix}:** ${prose(fix)}\n`,
      ),
    ...group.slice(0, MOST_CASES).flatMap((verdict, index) => caseLines(verdict, index === 0)),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n')
}

/** A case with what it sent and received, and the command that repeats it. */
function caseLines(verdict: ReportVerdict, isEntire: boolean): string[] {
  const { problems, reproduce } = verdict
  const quoted = (received: string) => text(shortened(received, MOST_CHARACTERS))
  const compared = problems.map(({ expected, received }, index) =>
    !isEntire || expected === problems[index - 1]?.expected
      ? `${LABELS.received}: ${quoted(received)}.`
      : `${LABELS.expected}: ${prose(expected)}. ${LABELS.received}: ${quoted(received)}.`,
  )
  const body = problems.find((problem) => problem.body !== undefined)?.body
  return [
    `- ${isEntire ? named(verdict) : code(verdict.case)}: ${LABELS.sent}: ${text(sent(verdict))}.`,
    ...compared.map((line) => `  ${line}`),
    ...(isEntire && body !== undefined ? [`  ${LABELS.body}: ${code(body)}`] : []),
    ...(isEntire && reproduce !== null ? [`  ${LABELS.reproduce}: ${code(reproduce)}`] : []),
  ]
}

/** A sentence of the contract or the catalogue, in which backquotes mark code. */
function prose(sentence: string): string {
  return sentence
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? code(part) : text(part)))
    .join('')
}

/** The id of a case, with a link to its page. */
function named({ case: id, docsUrl }: ReportVerdict): string {
  return docsUrl === undefined ? code(id) : linked(code(id), docsUrl)
}

/** @param label Markdown */
function linked(label: string, address: string): string {
  return /^https?:\/\/[\w./:#?&=%~-]+$/.test(address) ? `[${label}](${address})` : label
}
