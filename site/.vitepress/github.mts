import type { MarkdownRenderer } from 'vitepress'

/** What the Markdown of the repository has for GitHub, and VitePress shows badly. */
export function githubMarkdown(markdown: MarkdownRenderer): void {
  // On GitHub a picture follows the system's theme; here it must follow the switch of the site.
  markdown.core.ruler.before('block', 'pictures', (state) => {
    state.src = state.src.replace(
      /<picture><source media="\(prefers-color-scheme: dark\)" srcset="([^"]*)"><img alt="([^"]*)" src="([^"]*)"><\/picture>/g,
      (_, dark: string, alt: string, light: string) =>
        `<p class="picture"><img class="in-light" src="./${light}" alt="${alt}"><img class="in-dark" src="./${dark}" alt="${alt}"></p>`,
    )
  })
  // An indented block would have no style, and be wider than a phone.
  markdown.core.ruler.push('indented-code', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'code_block') Object.assign(token, { type: 'fence', info: 'sh' })
  })
}
