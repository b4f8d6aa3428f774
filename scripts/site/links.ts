import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

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
