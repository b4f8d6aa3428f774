import { posix, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** Where a file of the repository is found by a reader of the site. */
export interface Addresses {
  /** The folder of the repository. */
  readonly root: string
  /** The address of the repository's files on the web. */
  readonly files: string
  /** The address of the page made from a Markdown file, or undefined if it is no page. */
  readonly pageOf: (file: string) => string | undefined
}

/**
 * The Markdown of the repository links to files, so that it works in a clone. On the site, a link to a page becomes its
 * address, and a link to any other file its address in the repository.
 */
export function repositoryLinks(markdown: MarkdownRenderer, { root, files, pageOf }: Addresses): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const path = env.realPath ?? env.path
    // The title of a container is rendered without a page.
    if (path === undefined) return
    const source = relative(root, path)
    const isOurs = source.startsWith('site/')
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      // GitHub shows an unknown element such as <hex> as text; Vue would look for a component.
      if (token.type === 'html_inline' && !isOurs && !token.content.startsWith('<!--')) token.type = 'text'
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null || /^(?:#|\/|[a-z]+:)/i.test(href)) continue
      const [path = '', anchor] = href.split('#')
      const file = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, '')
      const address = pageOf(file) ?? `${files}/${file}`
      token.attrSet('href', anchor === undefined ? address : `${address}#${anchor}`)
    }
  })
}
