import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/**
 * What the Markdown of the repository has for GitHub, and VitePress shows badly.
 *
 * @param root the folder of the repository
 */
export function githubMarkdown(markdown: MarkdownRenderer, root: string): void {
  // On GitHub a picture follows the system's theme; here it must follow the switch of the site.
  markdown.core.ruler.before('block', 'pictures', (state) => {
    state.src = state.src.replace(
      /<picture><source media="\(prefers-color-scheme: dark\)" srcset="([^"]*)"><img alt="([^"]*)" src="([^"]*)"><\/picture>/g,
      (_, dark: string, alt: string, light: string) =>
        `<p class="picture">${image('in-light', light, alt)}${image('in-dark', dark, alt)}</p>`,
    )
  })
  const image = (name: string, file: string, alt: string): string =>
    `<img class="${name}" src="./${file}" ${sizeOf(join(root, file))} loading="lazy" alt="${alt}">`
  // An indented block would have no style, and be wider than a phone.
  markdown.core.ruler.push('indented-code', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'sh' })
  })
}

/** The size of a PNG, as attributes: a page keeps the place of a picture that has not arrived yet. */
function sizeOf(file: string): string {
  const header = readFileSync(file)
  return `width="${header.readUInt32BE(16)}" height="${header.readUInt32BE(20)}"`
}
