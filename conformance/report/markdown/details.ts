import type { ReportVerdict } from '../../../schemas/types.ts'
import { escapeMarkdownCode as code, escapeMarkdown as text } from '../escape.ts'
import { sent } from '../rows.ts'
import { groupedByRequirement } from '../summary.ts'
import { LABELS } from '../wording.ts'

/**
 * Verdicts with their details by requirement, as many as fit; the rest is counted.
 *
 * @param characters how many characters they may have together
 */
export function list(title: string, verdicts: readonly ReportVerdict[], characters: number): string[] {
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
export function prose(sentence: string): string {
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

/** The id of a case, with a link to its page. */
function named({ case: id, docsUrl }: ReportVerdict): string {
  const name = `<code>${code(id)}</code>`
  return docsUrl === undefined ? name : `<a href="${text(docsUrl)}">${name}</a>`
}
