import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { escapeHtml } from '../escape.ts'
import { viewOf } from './view.ts'

/** Templates write `<%= value %>` escaped; `<%~ markup %>` is for our own markup alone. */
const templates = new Eta({
  views: fileURLToPath(new URL('.', import.meta.url)),
  cache: true,
  escapeFunction: (value) => escapeHtml(String(value)),
})

/** The order matters: later rules override earlier ones. */
const STYLES = ['base.css', 'top.css', 'side.css', 'cases.css', 'widths.css', 'print.css']

/**
 * The report as one HTML page that loads nothing, so that it can be opened from a disk or kept as an artifact. Its
 * Content-Security-Policy allows only its own style and script, whatever the responses in it contain.
 */
export function renderHtml(report: ConformanceReport): string {
  const style = STYLES.map(read).join('')
  const script = read('script.js')
  return templates.render('/page', {
    ...viewOf(report),
    prose,
    style,
    styleHash: sha256(style),
    script,
    scriptHash: sha256(script),
  })
}

/** Markup of a sentence of the contract or the catalogue, in which backquotes mark code. */
function prose(sentence: string): string {
  return escapeHtml(sentence).replace(/`([^`<>]+)`/g, '<code>$1</code>')
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}

function sha256(source: string): string {
  return createHash('sha256').update(source).digest('base64')
}
