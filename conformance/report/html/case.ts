import type { ReportVerdict } from '../../../schemas/types.ts'
import { escapeHtml as text } from '../escape.ts'
import { pre, renderExchange } from './exchange.ts'
import { prose } from './prose.ts'

/** The class that colours an outcome; the word itself is always there too. */
export const TONES = {
  passed: 'good',
  failed: 'bad',
  warning: 'warn',
  untested: 'warn',
} as const satisfies Record<ReportVerdict['outcome'], string>

/** One case: the sentence of SPEC.md, what was not met, what it means, how to mend it, and every exchange. */
export function renderCase(verdict: ReportVerdict): string {
  const {
    case: id,
    section,
    level,
    outcome,
    severity,
    spec,
    problems,
    reason,
    impact,
    fix,
    reproduce,
  } = verdict
  const wrong = outcome === 'failed' || outcome === 'warning'
  const rows = [
    ...problems.map(
      ({ expected, received }) =>
        row('Expected', prose(expected)) + row('Came back', text(received), TONES[outcome]),
    ),
    ...(reason === null ? [] : [row('Untested because', text(reason))]),
    row(wrong ? 'Means' : 'A failure would mean', prose(impact)),
    row('Guidance', prose(fix), wrong ? 'strong' : undefined),
  ]
  const command = reproduce === null ? '' : `<p class="label">Again:</p>${pre(reproduce, 'Command')}`
  // Of what went wrong the first probe is shown at once; the rest is a click away.
  const first = wrong ? verdict.exchanges.findIndex(({ role }) => role === 'probe') : -1
  return `<details id="case-${text(id)}" data-outcome="${outcome}" data-section="${text(section)}">
<summary><span class="outcome ${TONES[outcome]}">${outcome}</span> <code>${text(id)}</code> <span class="tag">${text([level, ...(severity === null ? [] : [severity])].join(', '))}</span></summary>
<div class="inside"><p class="contract"><cite>SPEC.md ${text(spec.number)}</cite>: <q>${prose(spec.sentence)}</q></p>
<dl class="pairs">${rows.join('')}</dl>${command}
${verdict.exchanges.map((one, index) => renderExchange(one, index, index === first)).join('\n')}
<p class="tag self"><a href="#case-${text(id)}">Link to this case</a></p></div></details>`
}

function row(name: string, markup: string, tone?: string): string {
  const marked = tone === undefined ? '' : ` class="${tone}"`
  return `<div><dt>${name}</dt><dd${marked}>${markup}</dd></div>`
}
