import { escapeHtml } from '../escape.ts'

/** A sentence of the contract or the catalogue, in which backquotes mark code. */
export function prose(sentence: string): string {
  return escapeHtml(sentence).replace(/`([^`<>]+)`/g, '<code>$1</code>')
}
