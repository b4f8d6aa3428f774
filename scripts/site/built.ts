import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CRASH_CASES } from '../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { CONTRACT } from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { SERVICE_NAMES } from '../../conformance/contracts/service-names.ts'
import { CAUSE_CODES } from '../../conformance/diagnosis/statement.ts'
import { readExamples } from '../examples/example.ts'

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

/** What a built page must contain, so that no part of the site disappears unnoticed. */
interface Part {
  /** The file of the built page. */
  readonly page: string
  /** A text of its HTML. */
  readonly html: string
  /** How often it is there at least; once by default. */
  readonly times?: number
}

/** Every page with its heading, and what only the build makes of them: highlighted samples, charts and the debugger. */
export function expectedParts(): Part[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  const pages = [
    ...PAGES,
    ...readExamples().map(({ name }) => `handlers/${name}`),
    ...[...CATALOGUE, ...CRASH_CASES].map(({ id }) => `cases/${id}`),
    ...CONTRACT.map(({ number }) => `requirements/${number}`),
    ...CAUSE_CODES.map((code) => `causes/${code}`),
    ...SERVICE_NAMES.filter((id) => id !== 'payment-service').map((id) => `services/${id}`),
    ...docs.map((file) => `docs/${file.replace(/\.md$/, '')}`),
  ]
  return [
    ...pages.map((page) => ({ page: `${page}.html`, html: '<h1' })),
    ...CATALOGUE.map(({ id }) => ({ page: `cases/${id}.html`, html: 'class="language-http' })),
    ...readExamples().map(({ name }) => ({ page: `handlers/${name}.html`, html: 'class="language-' })),
    { page: 'debugger.html', html: 'class="debugger"' },
    { page: 'causes/body_reserialized.html', html: 'role="tabpanel"', times: 20 },
    { page: 'services/stripe.html', html: 'role="tabpanel"', times: 9 },
    { page: 'docs/proofs.html', html: CHART, times: 4 },
    { page: 'docs/kill-matrix.html', html: CHART },
    { page: 'docs/performance.html', html: CHART },
  ]
}

const CHART = '<figure class="chart">'

/** Those that do not follow from the catalogue, the examples or docs/. */
const PAGES = `index guide receiver security changelog spec matrix debugger sample-report handlers/index
  api/receiver api/conformance api/sandbox api/fixtures`.split(/\s+/)

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

/** What is of use in a clone of the repository only. */
export function repositoryScripts(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8').replaceAll(/<[^>]*>/g, '')
    const [script] = /\bnpm run [\w:]+/.exec(text) ?? []
    return script === undefined ? [] : [`${page}: speaks of a script of the repository: ${script}`]
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
