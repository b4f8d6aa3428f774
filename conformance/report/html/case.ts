import type { ReportVerdict } from '../../../schemas/types.ts'
import { escapeHtml as text } from '../escape.ts'
import { pre, renderExchange } from './exchange.ts'
import { prose } from './prose.ts'

/** The class that colours an outcome; the word itself is always there too. */
export const TONES = {
  passed: 'good',
  failed: 'bad',
  advised: 'warn',
  untested: 'warn',
} as const satisfies Record<ReportVerdict['outcome'], string>

/** One case: the sentence of SPEC.md, what was not met, what it means, how to mend it, and every exchange. */
export function renderCase(verdict: ReportVerdict): string {
  const {
    case: id,
    section,
    level,
    outcome,
    gravity,
    spec,
    problems,
    reason,
    consequence,
    remedy,
    again,
  } = verdict
  const wrong = outcome === 'failed' || outcome === 'advised'
  const rows = [
    ...problems.map(
      ({ says, got }) => row('Expected', prose(says)) + row('Came back', text(got), TONES[outcome]),
    ),
    ...(reason === null ? [] : [row('Untested because', text(reason))]),
    row(wrong ? 'Means' : 'A failure would mean', prose(consequence)),
    row('Mend', prose(remedy), wrong ? 'strong' : undefined),
  ]
  const command = again === null ? '' : `<p class="label">Again:</p>${pre(again, 'Command')}`
  // Of what went wrong the first probe is shown at once; the rest is a click away.
  const first = wrong ? verdict.exchanges.findIndex(({ role }) => role === 'probe') : -1
  return `<details id="case-${text(id)}" data-outcome="${outcome}" data-section="${text(section)}">
<summary><span class="outcome ${TONES[outcome]}">${outcome}</span> <code>${text(id)}</code> <span class="tag">${text([level, ...(gravity === null ? [] : [gravity])].join(', '))}</span></summary>
<div class="inside"><p class="contract"><cite>SPEC.md ${text(spec.number)}</cite>: <q>${prose(spec.sentence)}</q></p>
<dl class="pairs">${rows.join('')}</dl>${command}
${verdict.exchanges.map((one, index) => renderExchange(one, index, index === first)).join('\n')}
<p class="tag self"><a href="#case-${text(id)}">Link to this case</a></p></div></details>`
}

function row(name: string, markup: string, tone?: string): string {
  const marked = tone === undefined ? '' : ` class="${tone}"`
  return `<div><dt>${name}</dt><dd${marked}>${markup}</dd></div>`
}
