import { createHash } from 'node:crypto'
import type { ConformanceReport } from '../../schemas/types.ts'
import { escapeHtml as text } from './escape.ts'
import { GRADES, type Grade, grade } from './grade.ts'
import { renderCase, TONES } from './html-case.ts'
import { SCRIPT } from './html-script.ts'
import { STYLE } from './html-style.ts'
import { byGravity, CONCLUSIONS, leftOutLine, OUTCOMES, sectionsOf, tally, targetOf } from './summary.ts'

/**
 * The report as one HTML page that loads nothing: it may be opened from a disk or kept as an artefact. Only its own
 * style and script can run, whatever an answer holds.
 */
export function renderHtml(report: ConformanceReport): string {
  const own = grade(report)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(STYLE)}; script-src ${hash(SCRIPT)}; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hookproof: ${CONCLUSIONS[report.conclusion]}, grade ${own.letter}</title>
<style>${STYLE}</style>
</head>
<body>
${header(report, own)}
<main>
${table(report)}
${gravest(report)}
${filters(report)}
${sectionsOf(report)
  .map(
    ({ id, title }) => `<section id="section-${text(id)}" data-section="${text(id)}"><h2>${text(title)}</h2>
${report.verdicts
  .filter(({ section }) => section === id)
  .map(renderCase)
  .join('\n')}
</section>`,
  )
  .join('\n')}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}

function header(report: ConformanceReport, { letter, rule }: Grade): string {
  const tone = letter.startsWith('A') ? 'good' : letter === 'B' ? 'warn' : 'bad'
  const facts: [string, string][] = [
    ['Receiver', targetOf(report)],
    ['Profile', report.profile],
    ['Mode', report.mode],
    ['Seed', report.seed],
    ['Begun', report.startedAt],
    ['hookproof', report.hookproof],
  ]
  const rules = GRADES.map((one) => `<div><dt>${one.letter}</dt><dd>${text(one.rule)}</dd></div>`)
  return `<header>
<div class="top"><p class="grade ${tone}">${letter}</p>
<div><h1>${CONCLUSIONS[report.conclusion]}</h1>
<p>${text(`${CONCLUSIONS[report.conclusion]} ${tally(report)}`)} ${text(leftOutLine(report.leftOut))}</p></div></div>
${report.diagnosis === null ? '' : `<p class="diagnosis">${text(report.diagnosis)}</p>`}
<p>Grade ${letter}: ${text(rule)}</p>
<details><summary>How grades are given</summary><div class="inside"><p>The worst rule that holds counts.</p><dl class="rules">${rules.join('')}</dl></div></details>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt> <dd>${text(value)}</dd></div>`).join('\n')}</dl>
</header>`
}

function table(report: ConformanceReport): string {
  const rows = sectionsOf(report).map(({ id, title, counts }) => {
    const cells = OUTCOMES.map((outcome) =>
      counts[outcome] === 0 ? '<td></td>' : `<td class="${TONES[outcome]}">${counts[outcome]}</td>`,
    )
    return `<tr><th scope="row"><a href="#section-${text(id)}">${text(title)}</a></th>${cells.join('')}</tr>`
  })
  const heads = OUTCOMES.map((outcome) => `<th scope="col">${outcome}</th>`)
  return `<h2 id="sections">Sections</h2>
<table aria-labelledby="sections"><thead><tr><th scope="col">section</th>${heads.join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>`
}

function gravest({ verdicts }: ConformanceReport): string {
  const failed = byGravity(verdicts.filter(({ outcome }) => outcome === 'failed'))
  if (failed.length === 0) return ''
  const items = failed.map(
    ({ case: id, gravity, consequence }) =>
      `<li><b>${text(gravity ?? 'protocol')}</b> <a href="#case-${text(id)}">${text(id)}</a>: ${text(consequence)}</li>`,
  )
  return `<h2>Failed, the gravest first</h2>
<details${failed.length > 10 ? '' : ' open'}><summary>${failed.length === 1 ? '1 case' : `${failed.length} cases`}</summary><div class="inside"><ol>
${items.join('\n')}
</ol></div></details>`
}

function filters(report: ConformanceReport): string {
  const options = sectionsOf(report).map(
    ({ id, title }) => `<option value="${text(id)}">${text(title)}</option>`,
  )
  const boxes = OUTCOMES.map(
    (outcome) =>
      `<label><input type="checkbox" name="outcome" value="${outcome}" checked autocomplete="off"> ${outcome}</label>`,
  )
  return `<form hidden aria-label="Filter the cases" autocomplete="off">
<label>Section <select name="section"><option value="">all</option>${options.join('')}</select></label>
<fieldset><legend>Outcome</legend>${boxes.join('')}</fieldset>
<button type="reset">Show all</button> <output aria-live="polite" class="quiet"></output>
</form>`
}

function hash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`
}
