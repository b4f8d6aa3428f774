import type { ConformanceReport } from '../../../schemas/types.ts'
import { escapeHtml as text } from '../escape.ts'
import { GRADES, type Grade } from '../grade.ts'
import { CONCLUSIONS, excludedLine, notesOf, OUTCOMES, tally, targetOf } from '../summary.ts'
import { TONES } from './case.ts'

/** The top of the page: grade, conclusion, a cause common to all failures, the rule of the grade, and what was run. */
export function renderTop(report: ConformanceReport, { letter, rule }: Grade): string {
  const tone = letter.startsWith('A') ? 'good' : letter === 'B' ? 'warn' : 'bad'
  const facts: [string, string][] = [
    ['Receiver', targetOf(report)],
    ['Profile', report.profile],
    ['Mode', report.mode],
    ['Seed', report.seed],
    ['Begun', report.startedAt],
    ['hookproof', report.hookproof],
  ]
  return `<header>
<div class="top"><p class="grade ${tone}"><span>grade</span> ${letter}</p>
<div><h1>${CONCLUSIONS[report.conclusion]} <span>${text(tally(report))}</span></h1>
${bar(report)}
<p class="quiet">${text(excludedLine(report.excluded))}</p></div></div>
${report.diagnosis === null ? '' : `<p class="diagnosis">${text(report.diagnosis)}</p>`}
${notesOf(report)
  .map((note) => `<p class="note">${text(note)}</p>`)
  .join('\n')}
<p><b>Grade ${letter}:</b> ${text(rule)}</p>
<details><summary>How grades are given</summary><div class="inside"><p>The worst rule that holds counts.</p><dl class="rules">${GRADES.map(
    (one) =>
      `<div${one.letter === letter ? ' class="own"' : ''}><dt>${one.letter}</dt><dd>${text(one.rule)}</dd></div>`,
  ).join('')}</dl></div></details>
<dl class="facts">${facts.map(([name, value]) => `<div><dt>${name}</dt> <dd>${text(value)}</dd></div>`).join('\n')}</dl>
</header>`
}

/** The counts as lengths; the sentence above it says the same in words. */
function bar({ counts, verdicts }: ConformanceReport): string {
  let x = 0
  const parts = OUTCOMES.map((outcome) => {
    const part = `<rect x="${x}" width="${counts[outcome]}" height="1" class="${TONES[outcome]}"/>`
    x += counts[outcome]
    return counts[outcome] === 0 ? '' : part
  })
  return `<svg class="bar" viewBox="0 0 ${Math.max(1, verdicts.length)} 1" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>`
}
