import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headingsOf, linksOf } from '../../scripts/tools/markdown.ts'

const documents = [
  ...markdownIn('.'),
  'receiver/README.md',
  ...['docs', 'sandbox', 'fixtures'].flatMap((folder) => markdownIn(folder, { recursive: true })),
]

/** Of each file that a link leads to: many lead to one. */
const anchors: Record<string, string[]> = {}

describe('the links of the documentation', () => {
  test('are checked in every document', () => {
    expect(documents).toEqual(
      expect.arrayContaining([
        'README.md',
        'SPEC.md',
        'CONTRIBUTING.md',
        'CHANGELOG.md',
        'docs/interface.md',
        'sandbox/README.md',
        'fixtures/README.md',
      ]),
    )
  })

  test.each(documents)('lead to files and headings that exist: %s', (document) => {
    const links = linksOf(readFileSync(document, 'utf8'))
    expect(links.filter((link) => !resolves(document, link))).toEqual([])
  })

  test('do not count when the file or the heading is missing', () => {
    expect(resolves('README.md', 'SPEC.md#1-transport')).toBe(true)
    expect(resolves('README.md', 'SPEC.md#1-no-such-heading')).toBe(false)
    expect(resolves('README.md', 'NO-SUCH-FILE.md')).toBe(false)
    expect(resolves('README.md', '#no-such-heading')).toBe(false)
    expect(resolves('docs/cases.md', 'SPEC.md')).toBe(false)
  })
})

/** Whether a link leads to a file, and if it has an anchor, to a heading. Addresses of other sites are not fetched. */
function resolves(document: string, link: string): boolean {
  if (/^(https?|mailto):/.test(link)) return true
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? document : join(dirname(document), decodeURIComponent(path))
  if (!existsSync(file)) return false
  return (
    anchor === undefined ||
    (anchors[file] ??= headingsOf(readFileSync(file, 'utf8')).map((heading) => heading.anchor)).includes(
      anchor,
    )
  )
}

function markdownIn(folder: string, { recursive = false } = {}): string[] {
  return readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
    .toSorted()
}
