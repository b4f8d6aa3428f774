import type { ConformanceReport } from '../../../schemas/types.ts'
import { escapeHtml as text } from '../escape.ts'
import { OUTCOMES, sectionsOf } from '../summary.ts'
import { TONES } from './case.ts'

/** What leads to the cases: the sections with their counts, and the filters, which the script shows. */
export function renderSide(report: ConformanceReport): string {
  return `<div class="side">
${table(report)}
${filters(report)}
</div>`
}

function table(report: ConformanceReport): string {
  const present = outcomesOf(report)
  const rows = sectionsOf(report).map(({ id, title, counts }) => {
    const cells = present.map((outcome) =>
      counts[outcome] === 0 ? '<td></td>' : `<td class="${TONES[outcome]}">${counts[outcome]}</td>`,
    )
    return `<tr><th scope="row"><a href="#section-${text(id)}">${text(title)}</a></th>${cells.join('')}</tr>`
  })
  const heads = present.map((outcome) => `<th scope="col">${outcome}</th>`)
  return `<section class="sections" aria-labelledby="sections"><h2 id="sections">Sections</h2>
<table aria-labelledby="sections"><thead><tr><th scope="col">section</th>${heads.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></section>`
}

function filters(report: ConformanceReport): string {
  const options = sectionsOf(report).map(
    ({ id, title }) => `<option value="${text(id)}">${text(title)}</option>`,
  )
  const boxes = outcomesOf(report).map(
    (outcome) =>
      `<label><input type="checkbox" name="outcome" value="${outcome}" checked autocomplete="off"> ${outcome} (${report.counts[outcome]})</label>`,
  )
  return `<form hidden aria-label="Filter the cases" autocomplete="off">
<label>Section <select name="section"><option value="">all</option>${options.join('')}</select></label>
<fieldset><legend>Outcome</legend>${boxes.join('')}</fieldset>
<button type="reset">Show all</button> <output aria-live="polite" class="quiet"></output>
</form>`
}

/** Those that occur: a filter or a column for the others would be of no use. */
function outcomesOf({ counts }: ConformanceReport): (typeof OUTCOMES)[number][] {
  return OUTCOMES.filter((outcome) => counts[outcome] > 0)
}
