import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import {
  type Chart,
  crashChart,
  killsChart,
  latencyChart,
  memoryChart,
  performanceChart,
  render,
  timingChart,
} from './charts.mts'

/** What VitePress adds to a page only in the browser: until then, screen readers and the eye would miss it. */
export function completed(html: string): string {
  const isHome = html.includes('VPContent is-home')
  // The theme adds the landmark after a change of the page.
  const whole = isHome ? html.replace('id="VPContent"', 'id="VPContent" role="main"') : html
  // Without these classes the bar at the top is laid out anew when the scripts have arrived.
  const classes = [
    ...(html.includes('VPContent has-sidebar') ? ['has-sidebar'] : []),
    ...(isHome ? ['home'] : []),
    'top',
  ]
  return whole.replace('class="VPNavBar"', `class="VPNavBar ${classes.join(' ')}"`)
}

const highlighted = new Map<string, string>()
/** Highlights each block of code once: many pages show the same one, and the search renders every page again. */
export function highlightOnce({ options }: MarkdownRenderer): void {
  const { highlight } = options
  options.highlight = (code, language, attributes) => {
    const key = [language, attributes, code].join('\n')
    const html = highlighted.get(key) ?? highlight?.(code, language, attributes) ?? ''
    highlighted.set(key, html)
    return html
  }
}

/**
 * What the Markdown of the repository has for GitHub, and VitePress shows badly.
 *
 * @param root the folder of the repository
 */
export function githubMarkdown(markdown: MarkdownRenderer, root: string): void {
  // The folders and scripts of the repository are of use in a clone only.
  markdown.core.ruler.before('block', 'repository', (state) => {
    const page = relative(root, state.env.realPath ?? state.env.path ?? '')
    if (page === 'README.md') state.src = state.src.replace(/^## How it works\n[^]*?(?=^## )/m, '')
    if (page === 'docs/kill-matrix.md')
      state.src = state.src.replace(
        '`npm run proof` writes this page. It fails if',
        'The proof behind this page fails if',
      )
  })
  // On GitHub a picture follows the system's theme; here it must follow the switch of the site.
  markdown.core.ruler.before('block', 'pictures', (state) => {
    state.src = state.src.replace(
      /<picture><source media="\(prefers-color-scheme: dark\)" srcset="([^"]*)"><img alt="([^"]*)" src="([^"]*)"><\/picture>/g,
      (_, dark: string, alt: string, light: string) =>
        `<p class="picture">${image('in-light', light, alt)}${image('in-dark', dark, alt)}</p>`,
    )
    function image(name: string, file: string, alt: string): string {
      const path = join(dirname(state.env.realPath ?? state.env.path), file)
      return `<img class="${name}" src="./${file}" ${sizeOf(path)} loading="lazy" alt="${alt}">`
    }
  })
  // An option would otherwise break after its dashes.
  markdown.core.ruler.push('options', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline' && /^--[a-z-]+$/.test(token.content)) token.attrJoin('class', 'option')
  })
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

/** Where a file of the repository is found by a reader of the site. */
interface Addresses {
  /** The folder of the repository. */
  readonly root: string
  /** The address of the repository's files on the web. */
  readonly files: string
  /** The address of the site on the web, by which the repository links to pages that only the site has. */
  readonly homepage: string
  /** The address of the page made from a Markdown file, or undefined if it is no page. */
  readonly pageOf: (file: string) => string | undefined
}

/**
 * The Markdown of the repository links to files, so that it works in a clone. On the site, a link to a page becomes its
 * address, and a link to any other file its address in the repository.
 */
export function repositoryLinks(
  markdown: MarkdownRenderer,
  { root, files, homepage, pageOf }: Addresses,
): void {
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
      if (href?.startsWith(homepage) === true) token.attrSet('href', `/${href.slice(homepage.length)}`)
      if (href === null || /^(?:#|\/|[a-z]+:)/i.test(href)) continue
      const [path = '', anchor] = href.split('#')
      const file = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, '')
      const address = pageOf(file) ?? `${files}/${file}`
      token.attrSet('href', anchor === undefined ? address : `${address}#${anchor}`)
    }
  })
}

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

interface Place {
  readonly page: string
  /** The chart goes before the first table below this marker, or before the first table of the page. */
  readonly marker?: string
  readonly charts: readonly ((page: string) => Chart)[]
}

const PLACES: readonly Place[] = [
  { page: 'docs/performance.md', charts: [performanceChart] },
  { page: 'docs/kill-matrix.md', charts: [killsChart] },
  { page: 'docs/proofs.md', marker: '<!-- proof:attack -->', charts: [latencyChart, memoryChart] },
  { page: 'docs/proofs.md', marker: '<!-- proof:crash -->', charts: [crashChart] },
  { page: 'docs/proofs.md', marker: '<!-- proof:timing -->', charts: [timingChart] },
]

/** Draws the figures that scripts write to the docs, each above its table. @throws Error if a chart finds no place */
export function charts(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('charts', (state) => {
    const path: string = state.env.realPath ?? state.env.path ?? ''
    for (const { page, marker, charts } of PLACES) {
      if (!path.endsWith(page)) continue
      const from =
        marker === undefined ? 0 : state.tokens.findIndex(({ content }) => content.includes(marker))
      const at = state.tokens.findIndex(({ type }, index) => index >= from && type === 'table_open')
      if (from === -1 || at === -1) throw new Error(`${page} has no table below ${marker ?? 'its start'}`)
      const token = new state.Token('html_block', '', 0)
      token.content = charts.map((chart) => render(chart(state.src))).join('')
      state.tokens.splice(at, 0, token)
    }
  })
}
