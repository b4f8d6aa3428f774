import type { ReportExchange, ReportVerdict } from '../../schemas/types.ts'
import { escapeHtml as text } from './escape.ts'

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
  const tags = [level, ...(gravity === null ? [] : [gravity])].join(', ')
  const rows = [
    ...problems.map(({ says, got }) => row('Expected', says) + row('Came back', got)),
    ...(reason === null ? [] : [row('Untested because', reason)]),
    row(outcome === 'passed' ? 'A failure would mean' : 'Means', consequence),
    row('Mend', remedy),
  ]
  const command = again === null ? '' : `<p>Again:</p>${pre(again)}`
  return `<details id="case-${text(id)}" data-outcome="${outcome}" data-section="${text(section)}">
<summary><span class="outcome ${TONES[outcome]}">${outcome}</span> <code>${text(id)}</code> <span class="tag">${text(tags)}</span></summary>
<div class="inside"><p><cite>SPEC.md ${text(spec.number)}</cite>: <q>${text(spec.sentence)}</q></p>
<dl>${rows.join('')}</dl>${command}
${verdict.exchanges.map(exchange).join('\n')}</div></details>`
}

function exchange(one: ReportExchange, index: number): string {
  const { label, role, delivery, answer, error } = one
  const came = answer === null ? (error ?? 'no answer') : `${answer.status} in ${answer.ms} ms`
  const about = delivery.transport === null ? '' : `<p>On the wire: ${text(delivery.transport)}</p>`
  return `<details><summary>${index + 1}. ${text(role)}: ${text(label)}, answered: ${text(came)}</summary>
<div class="inside"><p><b>Sent</b> <span class="tag">${size(delivery.body)}</span></p>${about}
${pre(`${delivery.method} ${delivery.path}\n${lines(delivery.headers)}`)}${body(delivery.body)}
<p><b>Came back</b>${answer === null ? '' : ` <span class="tag">${size(answer.body)}</span>`}</p>
${answer === null ? pre(came) : `${pre(`${answer.status}\n${lines(answer.headers)}`)}${body(answer.body)}`}
</div></details>`
}

/** The bytes as they were: never laid out anew, since the signature is over just these. */
function body(one: { text: string | null; base64?: string | null; bytes: number }): string {
  if (one.bytes === 0) return ''
  return one.text === null ? `<p>Not text; in base64:</p>${pre(one.base64 ?? '')}` : pre(one.text)
}

function size({ bytes, truncated }: { bytes: number; truncated: boolean }): string {
  const count = bytes === 1 ? '1 byte of body' : `${bytes} bytes of body`
  return truncated ? `${count}, of which the beginning is shown` : count
}

function lines(headers: readonly (readonly string[])[]): string {
  return headers.map(([name = '', value = '']) => `${name}: ${value}`).join('\n')
}

function row(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${text(value)}</dd></div>`
}

function pre(value: string): string {
  // A browser drops a line break at the start.
  return `<pre>\n${text(value)}</pre>`
}
