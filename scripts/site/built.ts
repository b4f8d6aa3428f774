import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CATALOGUE, SECTIONS } from '../../conformance/contracts/payment-service/cases/index.ts'
import { CONTRACT } from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { CRASH_CASES } from '../../conformance/crash/catalogue.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { readExamples } from '../examples/example.ts'
import type { CaseResults, Results } from '../shared/results.ts'

/** The files below a folder, as paths with slashes. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
}

/** The file that serves an address below the base, or undefined if there is none. */
export function fileOf(path: string, files: ReadonlySet<string>): string | undefined {
  const name = decodeURI(path)
  return [name, `${name}.html`, posix.join(name, 'index.html')].find((file) => files.has(file))
}

/**
 * The links of the built pages that lead nowhere: to a file that does not exist, or to an anchor that its page lacks.
 * Addresses of other sites are not requested.
 *
 * @param base the path of the site, with a slash at both ends
 */
export function deadLinks(folder: string, base: string): string[] {
  const files = new Set(filesIn(folder))
  const pages = [...files].filter((file) => file.endsWith('.html'))
  if (pages.length === 0) return ['there are no pages']
  const read = new Map(pages.map((page) => [page, linksAndIds(readFileSync(join(folder, page), 'utf8'))]))
  return pages.flatMap((page) => {
    if (read.get(page)?.links.size === 0) return [`${page}: no links were found`]
    const from = new URL(`${base}${page.replace(/(?:index)?\.html$/, '')}`, 'http://site')
    return [...(read.get(page)?.links ?? [])].flatMap((href) => {
      const to = new URL(href, from)
      if (to.host !== from.host || !to.protocol.startsWith('http')) return []
      if (!to.pathname.startsWith(base)) return [`${page}: ${href} is outside the site`]
      const file = fileOf(to.pathname.slice(base.length), files)
      if (file === undefined) return [`${page}: ${href} does not exist`]
      const anchor = decodeURIComponent(to.hash.slice(1))
      if (anchor === '' || read.get(file)?.ids.has(anchor) !== false) return []
      return [`${page}: ${href} has no such anchor`]
    })
  })
}

/**
 * The links of the built pages to files of the repository that do not exist.
 *
 * @param repository its address on the web
 * @param root its folder here
 */
export function deadFileLinks(folder: string, repository: string, root: string): string[] {
  const pages = filesIn(folder).filter((file) => file.endsWith('.html'))
  const links = pages.flatMap((page) =>
    [...linksAndIds(readFileSync(join(folder, page), 'utf8')).links].flatMap((href) => {
      const [, file] = href.startsWith(`${repository}/`)
        ? (/^\/(?:blob|tree)\/main\/([^#?]*)/.exec(href.slice(repository.length)) ?? [])
        : []
      return file === undefined ? [] : [{ page, href, file: decodeURI(file) }]
    }),
  )
  if (links.length === 0) return ['no links to files of the repository were found']
  return links.flatMap(({ page, href, file }) =>
    existsSync(join(root, file)) ? [] : [`${page}: ${href} does not exist in the repository`],
  )
}

function linksAndIds(html: string): { links: ReadonlySet<string>; ids: ReadonlySet<string> } {
  const all = (pattern: RegExp) =>
    new Set([...html.matchAll(pattern)].map(([, value = '']) => unescaped(value)))
  return {
    links: all(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g),
    ids: all(/\sid="([^"]*)"/g),
  }
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')

/** The most JavaScript that a page loads before anyone searches, compressed, in bytes. */
const MOST_SCRIPT_BYTES = 150_000

/** The page that has everything inside, since it is also a file to download. */
const SELF_CONTAINED = 'sample-report.html'

/** The pages with too much JavaScript, and those with none, where the measurement must have failed. */
export function weightFaults(weights: readonly { page: string; bytes: number }[]): string[] {
  if (weights.length === 0) return ['no page was weighed']
  return weights.flatMap(({ page, bytes }) => {
    if (bytes === 0) return [`${page}: no JavaScript was found`]
    if (bytes <= MOST_SCRIPT_BYTES || page === SELF_CONTAINED) return []
    return [`${page}: ${bytes} bytes of compressed JavaScript, more than ${MOST_SCRIPT_BYTES}`]
  })
}

/** The compressed JavaScript of a built page in bytes: its scripts, and the modules that it preloads. */
export function scriptBytes(folder: string, base: string, page: string): number {
  const html = readFileSync(join(folder, page), 'utf8')
  const inline = [...html.matchAll(/<script\b(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
    ([, text = '']) => text,
  )
  const files = [...html.matchAll(/(?:<script\b[^>]*\ssrc|<link rel="modulepreload" href)="([^"]*)"/g)]
    .map(([, href = '']) => href.slice(base.length))
    .filter((file, index, all) => all.indexOf(file) === index)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  return [...inline, ...files].reduce((sum, text) => sum + gzipSync(text).length, 0)
}

/**
 * The cells of the built matrix that differ from the results, one line each.
 *
 * @param titles the name of a receiver in the results, by the text of its row
 */
export function wrongCells(html: string, results: Results, titles: ReadonlyMap<string, string>): string[] {
  const rows = tableRows(html)
  return Object.entries(results).flatMap(([name, result]) => {
    const shown = rows.filter(({ title }) => titles.get(title) === name)
    const [row] = shown
    if (row === undefined || shown.length > 1) return [`${name}: has ${shown.length} rows in the matrix`]
    return SECTIONS.flatMap(({ id, title }) => {
      const [expected, cell] = [expectedCell(id, result), row.cells.get(title) ?? '']
      return cell === expected ? [] : [`${name}: shows “${cell}” for ${title}, expected “${expected}”`]
    })
  })
}

function expectedCell(section: string, { passed, others }: CaseResults): string {
  const count = passed[section]
  if (count === undefined) return ''
  const outcomes = Object.entries(others).flatMap(([id, outcome]) =>
    id.startsWith(`${section}/`) ? outcome : [],
  )
  const mark = outcomes.length === 0 ? '' : outcomes.every((outcome) => outcome === 'warning') ? ' !' : ' ✗'
  return `${count}/${count + outcomes.length}${mark}`
}

function tableRows(html: string): { title: string; cells: Map<string, string> }[] {
  return [...html.matchAll(/<table\b[^]*?<\/table>/g)].flatMap(([table]) => {
    const [head = [], ...rows] = [...table.matchAll(/<tr\b[^]*?<\/tr>/g)].map(([row]) =>
      [...row.matchAll(/<(td|th)\b[^>]*>([^]*?)<\/\1>/g)].map(([, , cell = '']) => textOf(cell)),
    )
    return rows.map(([title = '', ...cells]) => ({
      title,
      cells: new Map(cells.map((cell, at) => [head[at + 1] ?? '', cell])),
    }))
  })
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim()

/** What a built page must contain, so that no part of the site disappears unnoticed. */
interface Part {
  /** The file of the built page. */
  readonly page: string
  /** A text of its HTML. */
  readonly html: string
  /** How often it is there at least; once by default. */
  readonly times?: number
}

/** The pages of each kind, and the parts that a reader expects there. */
export function expectedParts(): Part[] {
  const parts = (page: string, ...texts: string[]): Part[] => texts.map((html) => ({ page, html }))
  const handlers = readExamples()
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  return [
    ...parts(
      'index.html',
      'id="grade-your-receiver"',
      'sample-report.html',
      'class="hero-report"',
      'id="why-trust-a-verdict"',
      'class="doors"',
      '/matrix"',
      '/debugger"',
    ),
    ...handlers.flatMap(({ name }) => parts('index.html', `/handlers/${name}"`)),
    ...handlers.flatMap(({ name }) => parts('handlers/index.html', `/handlers/${name}"`)),
    ...handlers.flatMap(({ name }) =>
      parts(
        `handlers/${name}.html`,
        'aria-label="Language"',
        'class="copy"',
        'The trap',
        'class="language-',
        'custom-block-title">Conformant<',
        'id="try-it-and-grade-it"',
      ),
    ),
    ...CATALOGUE.flatMap(({ id, number }) =>
      parts(`cases/${id}.html`, ...CASE_PARTS, `/requirements/${number}"`, 'class="language-http'),
    ),
    ...CRASH_CASES.flatMap(({ id, number }) =>
      parts(`cases/${id}.html`, ...CASE_PARTS, `/requirements/${number}"`),
    ),
    ...CONTRACT.flatMap(({ number }) => parts(`requirements/${number}.html`, '<blockquote>', 'id="cases"')),
    ...CONTRACT.flatMap(({ number }) => parts('spec.html', `>${number}</`, `/requirements/${number}"`)),
    ...[...CATALOGUE, ...CRASH_CASES].flatMap(({ id, number }) =>
      parts('docs/cases.html', `/cases/${id}"`, `/requirements/${number}"`),
    ),
    ...Object.values(MUTANTS).flatMap(({ fails }) =>
      fails.flatMap((id) => parts('docs/kill-matrix.html', `/cases/${id}"`)),
    ),
    ...docs.flatMap((file) => parts(`docs/${file.replace(/\.md$/, '.html')}`, '<h1')),
    ...['guide', 'receiver', 'security', 'contributing', 'changelog'].flatMap((name) =>
      parts(`${name}.html`, '<h1'),
    ),
    ...['receiver', 'conformance', 'sandbox', 'fixtures'].flatMap((name) =>
      parts(`api/${name}.html`, 'id="functions"', 'id="interfaces"'),
    ),
    ...parts('docs/check.html', 'class="language-yaml', 'gh secret set HOOKPROOF_SECRET'),
    ...parts('matrix.html', 'id="examples"', 'id="libraries"', 'id="what-did-not-pass"'),
    ...parts('debugger.html', 'connect-src &#39;none&#39;', 'class="debugger"', 'id="header"', 'id="secret"'),
    ...parts('sample-report.html', '<title>'),
    { page: 'docs/proofs.html', html: CHART, times: 4 },
    { page: 'docs/kill-matrix.html', html: CHART },
    { page: 'docs/performance.html', html: CHART },
  ]
}

const CASE_PARTS = [
  '<strong>Impact:</strong>',
  '<strong>Fix:</strong>',
  'id="what-must-come-back"',
  'id="what-is-sent"',
  'id="grade-only-this-case"',
  'id="receivers-that-fail-it"',
]
const CHART = '<figure class="chart">'

/** The parts that the built pages lack, one line each. */
export function missingParts(folder: string, parts: readonly Part[]): string[] {
  if (parts.length === 0) return ['nothing is expected of the site']
  const read = new Map<string, string | undefined>()
  return parts.flatMap(({ page, html, times = 1 }) => {
    if (!read.has(page)) {
      const file = join(folder, page)
      read.set(page, existsSync(file) ? readFileSync(file, 'utf8') : undefined)
      if (read.get(page) === undefined) return [`${page}: the page is missing`]
    }
    const text = read.get(page)
    const found = text === undefined ? times : text.split(html).length - 1
    return found < times ? [`${page}: has ${JSON.stringify(html)} ${found} times, expected ${times}`] : []
  })
}

/** Markup that is shown as text, as happens to HTML that the renderer does not know. */
export function markupInText(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8').replace(
      /<(pre|code|script|title)\b[^]*?<\/\1>/g,
      '',
    )
    const [tag] = /&lt;\/?(?:a|br|div|img|p|picture|source|span|table|td|tr)\b[^<]{0,40}/.exec(html) ?? []
    return tag === undefined ? [] : [`${page}: shows markup as text: ${tag}`]
  })
}
