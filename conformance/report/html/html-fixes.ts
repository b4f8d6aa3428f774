import type { ConformanceReport, ReportVerdict } from '../../../schemas/types.ts'
import { escapeHtml as text } from '../escape.ts'
import { bySeverity } from '../summary.ts'
import { prose } from './prose.ts'

/** How many items are shown before the rest folds away. */
const SHOWN = 8

/** What is to be done, before the cases one by one: failures by severity, advice, and what was not tested and why. */
export function renderMend({ verdicts, diagnosis }: ConformanceReport): string {
  const having = (wanted: ReportVerdict['outcome']) => verdicts.filter(({ outcome }) => outcome === wanted)
  const shown = diagnosis === null ? SHOWN : 1
  const parts = [
    part('failed', 'Failed, the gravest first', toMend(bySeverity(having('failed'))), shown),
    part('advice', 'Advice', toMend(having('warning')), shown),
    part('untested', 'Not tested', byReason(having('untested')), SHOWN),
  ].filter((one) => one !== '')
  return parts.length === 0 ? '' : `<div class="mend">${parts.join('\n')}</div>`
}

function part(id: string, title: string, items: readonly string[], shown: number): string {
  if (items.length === 0) return ''
  const rest = items.slice(shown)
  const more =
    rest.length === 0
      ? ''
      : `<details class="more"><summary>And ${rest.length} more</summary><div class="inside"><ul class="cards">${rest.join('\n')}</ul></div></details>`
  return `<section aria-labelledby="to-mend-${id}"><h2 id="to-mend-${id}">${title}</h2>
<ul class="cards">${items.slice(0, shown).join('\n')}</ul>${more}</section>`
}

/** Cases that mean the same and are mended alike, whichever requirement they test: said once, with a link to each. */
function toMend(verdicts: readonly ReportVerdict[]): string[] {
  return grouped(verdicts, ({ severity, impact, fix }) => [severity, impact, fix].join('\n')).map(
    ([first, all]) => {
      const tone = first.outcome === 'warning' ? 'warn' : 'bad'
      return `<li class="${tone}"><p><span class="outcome ${tone}">${text(first.severity ?? 'protocol')}</span> <b>${prose(first.impact)}</b></p>
<p><span class="label">Guidance:</span> ${prose(first.fix)}</p>
${links(all)}</li>`
    },
  )
}

function byReason(verdicts: readonly ReportVerdict[]): string[] {
  return grouped(verdicts, ({ reason }) => reason ?? 'no reason was given').map(
    ([
      ,
      all,
      reason,
    ]) => `<li class="warn"><p><b>${text(reason.charAt(0).toUpperCase() + reason.slice(1))}</b></p>
${links(all)}</li>`,
  )
}

function grouped(
  verdicts: readonly ReportVerdict[],
  keyOf: (verdict: ReportVerdict) => string,
): [first: ReportVerdict, all: ReportVerdict[], key: string][] {
  const groups = new Map<string, [ReportVerdict, ReportVerdict[], string]>()
  for (const verdict of verdicts) {
    const key = keyOf(verdict)
    const [, all] = groups.get(key) ?? []
    if (all === undefined) groups.set(key, [verdict, [verdict], key])
    else all.push(verdict)
  }
  return [...groups.values()]
}

function links(verdicts: readonly ReportVerdict[]): string {
  const list = `<ul class="links">${verdicts.map(({ case: id }) => `<li><a href="#case-${text(id)}">${text(id)}</a></li>`).join('')}</ul>`
  if (verdicts.length <= SHOWN) return list
  return `<details class="more"><summary>${verdicts.length} cases</summary><div class="inside">${list}</div></details>`
}
