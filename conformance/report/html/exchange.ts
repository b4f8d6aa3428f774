import type { ReportExchange } from '../../../schemas/types.ts'
import { escapeHtml as text } from '../escape.ts'

/** Text beyond this scrolls in a box of its own, so that a long body does not push the answer out of sight. */
const LONG = { characters: 1_500, lines: 24 }

/** One delivery and what came of it. `open` shows it as soon as its case is opened. */
export function renderExchange(one: ReportExchange, index: number, open: boolean): string {
  const { label, role, delivery, answer, error } = one
  const came = answer === null ? (error ?? 'no answer') : `${answer.status} in ${answer.ms} ms`
  const wire =
    delivery.transport === null ? '' : `<p class="tag">On the wire: ${text(delivery.transport)}</p>`
  const sent = `${pre(`${delivery.method} ${delivery.path}\n${lines(delivery.headers)}`, 'Headers sent')}${body(delivery.body, 'Body sent')}`
  const back =
    answer === null
      ? pre(came, 'Answer')
      : `${pre(`${answer.status}\n${lines(answer.headers)}`, 'Headers of the answer')}${body(answer.body, 'Body of the answer')}`
  return `<details class="exchange"${open ? ' open' : ''}><summary>${index + 1}. <b>${text(role)}</b>: ${text(label)}, answered: ${text(came)}</summary>
<div class="inside sides"><div><p><b>Sent</b> <span class="tag">${size(delivery.body)}</span></p>${wire}
${sent}</div>
<div><p><b>Came back</b>${answer === null ? '' : ` <span class="tag">${size(answer.body)}</span>`}</p>
${back}</div></div></details>`
}

/** Preformatted text as it is. What is long can be scrolled by keyboard too, and so needs the name. */
export function pre(value: string, name: string): string {
  const long = value.length > LONG.characters || value.split('\n').length > LONG.lines
  const box = long ? ` class="long" tabindex="0" role="group" aria-label="${name}"` : ''
  // A browser drops a line break at the start.
  return `<pre${box}>\n${text(value)}</pre>`
}

/** The bytes as they were: never laid out anew, since the signature is over just these. */
function body(one: { text: string | null; base64?: string | null; bytes: number }, name: string): string {
  if (one.bytes === 0) return ''
  return one.text === null ? `<p>Not text; in base64:</p>${pre(one.base64 ?? '', name)}` : pre(one.text, name)
}

function size({ bytes, truncated }: { bytes: number; truncated: boolean }): string {
  const count = bytes === 1 ? '1 byte of body' : `${bytes} bytes of body`
  return truncated ? `${count}, of which the beginning is shown` : count
}

function lines(headers: readonly (readonly string[])[]): string {
  return headers.map(([name = '', value = '']) => `${name}: ${value}`).join('\n')
}
