/**
 * Replaces what a page has between the markers `<!-- name -->` and `<!-- /name -->`, each in a line.
 * @throws Error if the page lacks them
 */
export function replaceMarked(page: string, name: string, text: string): string {
  const [from, to] = rangeOf(page, name)
  return `${page.slice(0, from)}${text}${page.slice(to)}`
}

/** What a page has between these markers. @throws Error if the page lacks them */
export const betweenMarkers = (page: string, name: string): string => page.slice(...rangeOf(page, name))

function rangeOf(page: string, name: string): [from: number, to: number] {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`the page lacks the markers ${begin.trim()} and ${end}`)
  return [from + begin.length, to]
}

/** A table in Markdown. */
export const tableOf = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
