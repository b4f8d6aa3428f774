import GithubSlugger from 'github-slugger'
import { marked, type Token } from 'marked'

/** A heading of a Markdown document: its text without markup, and the anchor that GitHub gives it. */
export interface Heading {
  readonly text: string
  readonly anchor: string
}

/** The headings of a Markdown document, in order. A repeated heading has a numbered anchor, as on GitHub. */
export function headingsOf(markdown: string): Heading[] {
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  visit(markdown, (token) => {
    if (token.type !== 'heading') return
    const text = plainText(token)
    headings.push({ text, anchor: slugger.slug(text) })
  })
  return headings
}

/** The targets of all links and images of a Markdown document, in order; code is left out. */
export function linksOf(markdown: string): string[] {
  const links: string[] = []
  visit(markdown, (token) => {
    if ((token.type === 'link' || token.type === 'image') && 'href' in token)
      links.push(String(token['href']))
  })
  return links
}

function visit(markdown: string, each: (token: Token) => void): void {
  void marked.walkTokens(marked.lexer(markdown), each)
}

function plainText(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(plainText).join('')
  return 'text' in token ? String(token['text']) : ''
}
