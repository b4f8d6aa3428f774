import { existsSync } from 'node:fs'
import type { MarkdownRenderer } from 'vitepress'

const CASE = /^[a-z-]+\/[a-z0-9-]+$/
const REQUIREMENT = /^\d+\.\d+$/

/**
 * Links what names a case or a requirement to its page, which only the site has: an id in backquotes, the bold number of a
 * requirement, and a number that is alone in a cell of the list of cases.
 *
 * @param pages the folder with the pages of cases and requirements
 */
export function caseLinks(markdown: MarkdownRenderer, pages: string): void {
  const addressOf = (text: string): string | undefined => {
    const address = CASE.test(text) ? `cases/${text}` : REQUIREMENT.test(text) ? `requirements/${text}` : ''
    return address !== '' && existsSync(`${pages}/${address}.md`) ? `/${address}` : undefined
  }
  markdown.core.ruler.push('case-links', ({ tokens, env, Token }) => {
    const path: string = env.realPath ?? env.path ?? ''
    const isListOfCases = path.endsWith('/docs/cases.md')
    for (const [at, { children, content }] of tokens.entries()) {
      const parent = tokens[at - 1]?.type
      if (children === null || parent === 'heading_open') continue
      let links = 0
      for (let index = 0; index < children.length; index++) {
        const child = children[index]
        if (child?.type === 'link_open') links++
        if (child?.type === 'link_close') links--
        const isName =
          child?.type === 'code_inline' ||
          (child?.type === 'text' &&
            (children[index - 1]?.type === 'strong_open' ||
              (isListOfCases && parent === 'td_open' && child.content === content)))
        const address = isName && links === 0 ? addressOf(child.content) : undefined
        // A page does not link to itself.
        if (child === undefined || address === undefined || path.endsWith(`${address}.md`)) continue
        const open = new Token('link_open', 'a', 1)
        open.attrSet('href', address)
        children.splice(index, 1, open, child, new Token('link_close', 'a', -1))
        index += 2
      }
    }
  })
}
