import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Corrects the anchors in the pages of the API. TypeDoc counts a type and the property of another one that reads alike as
 * one name, and numbers the anchor of the second, although a page has only one such heading.
 */
export function correctAnchors(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue
    const file = join(folder, name)
    const text = readFileSync(file, 'utf8')
    const corrected = text.replace(/\]\(([^)#]*)#([\w-]+)-1\)/g, (link, path: string, anchor: string) => {
      const target = path === '' ? text : readFileSync(join(dirname(file), path), 'utf8')
      return headings(target, anchor) > 1 ? link : `](${path}#${anchor})`
    })
    if (corrected !== text) writeFileSync(file, corrected)
  }
}

function headings(text: string, anchor: string): number {
  const names = [...text.matchAll(/^#+ (.*)$/gm)].map(([, name = '']) => name)
  return names.filter((name) => name.toLowerCase().replace(/[^\w -]/g, '') === anchor).length
}
