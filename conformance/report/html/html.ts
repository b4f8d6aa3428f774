import { createHash } from 'node:crypto'
import type { ConformanceReport, ReportVerdict } from '../../../schemas/types.ts'
import { escapeHtml as text } from '../escape.ts'
import { grade } from '../grade.ts'
import { CONCLUSIONS, sectionsOf } from '../summary.ts'
import { renderCase } from './case.ts'
import { renderMend } from './html-fixes.ts'
import { SCRIPT } from './script.ts'
import { renderSide } from './side.ts'
import { STYLE } from './style.ts'
import { renderTop } from './top.ts'

/** Within a section, what asks for attention comes first. */
const ORDER: readonly ReportVerdict['outcome'][] = ['failed', 'warning', 'untested', 'passed']

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
${renderTop(report, own)}
<main>
${renderMend(report)}
${renderSide(report)}
<div class="cases"><h2>Cases</h2>
<p class="none" hidden>No case matches the filter.</p>
${sectionsOf(report)
  .map(
    ({ id, title }) => `<section id="section-${text(id)}" data-section="${text(id)}"><h3>${text(title)}</h3>
${casesOf(report, id).map(renderCase).join('\n')}
</section>`,
  )
  .join('\n')}
</div>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}

function casesOf({ verdicts }: ConformanceReport, id: string): ReportVerdict[] {
  return verdicts
    .filter(({ section }) => section === id)
    .toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome))
}

function hash(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`
}
