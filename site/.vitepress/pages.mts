/** The Markdown of the repository that the site renders, each with its path on the site. */
const PAGES: Readonly<Record<string, string>> = {
  'README.md': 'guide.md',
  'SPEC.md': 'spec.md',
  'SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'receiver/README.md': 'receiver.md',
}

/** The folders whose Markdown is on the site, each with its path there. `npm run site` writes `site/pages`. */
const FOLDERS = { docs: 'docs', 'site/pages': '', site: '' } as const

/** The path on the site of a Markdown file of the repository, or undefined if the site does not render it. */
export function pathOf(file: string): string | undefined {
  if (!file.endsWith('.md')) return undefined
  const page = PAGES[file]
  if (page !== undefined) return page
  const folder = Object.entries(FOLDERS).find(([name]) => file.startsWith(`${name}/`))
  return folder === undefined ? undefined : file.replace(folder[0], folder[1]).replace(/^\//, '')
}

/** The address of the page made from a file, without the base of the site. */
export function pageOf(file: string): string | undefined {
  return pathOf(file)
    ?.replace(/^/, '/')
    .replace(/\.md$/, '')
    .replace(/\/index$/, '/')
}
