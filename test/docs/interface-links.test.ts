import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { linkCitations, unlinkCitations } from '../../scripts/tools/generate/interface-links.ts'
import { headingsOf } from '../../scripts/tools/markdown.ts'

const spec = readFileSync('SPEC.md', 'utf8')
const page = readFileSync('docs/interface.md', 'utf8')
const to = (text: string, anchor: string) => `[${text}](docs/interface.md#${anchor})`

describe('the citations of the interface in SPEC.md', () => {
  test('are all links', () => {
    const links = [...spec.matchAll(/\[interface\s\d/gi)].length
    const mentions = [...spec.matchAll(/\binterface\s\d/gi)].length
    expect(mentions).toBeGreaterThan(60)
    expect(links).toBe(mentions)
  })

  test('lead to the sections of docs/interface.md with the cited numbers', () => {
    const anchors = new Set(headingsOf(page).map(({ anchor }) => anchor))
    const links = [...spec.matchAll(/\[([^\]]+)\]\(docs\/interface\.md#([^)]+)\)/g)]
    for (const [, text = '', anchor = ''] of links) {
      expect(anchors, text).toContain(anchor)
      const number = text.replace(/^interface\s/i, '')
      expect(anchor.split('-')[0], text).toBe(number.replace('.', ''))
    }
  })

  test('are up to date', () => {
    expect(linkCitations(spec, page)).toBe(spec)
  })
})

describe('linkCitations', () => {
  test('links a section and leaves its rules alone', () => {
    expect(linkCitations('*(Interface 5.3, rules 1 to 3)*', page)).toBe(
      `*(${to('Interface 5.3', '53-webhook-signatures')}, rules 1 to 3)*`,
    )
  })

  test('distinguishes section numbers from rule numbers', () => {
    const eight = to('8', '8-limits')
    const six = to('6', '6-events')
    expect(linkCitations('Interface 5.3, rule 4, and 8', page)).toContain(`, rule 4, and ${eight}`)
    expect(linkCitations('Interface 4.8 and 6, rule 5', page)).toContain(` and ${six}, rule 5`)
    expect(linkCitations('Interface 5.3, rules 3 and 6: text', page)).toMatch(/, rules 3 and 6: text$/)
    expect(linkCitations('Interface 6, and 2.2, rule 4', page)).toBe(
      `${to('Interface 6', '6-events')}, and ${to('2.2', '22-webhook-body')}, rule 4`,
    )
  })

  test('leaves other numbers alone', () => {
    const text = 'The window is 300 seconds (see 8.8), and the interface names 400 and 401.'
    expect(linkCitations(text, page)).toBe(text)
  })

  test('changes nothing when called again, and can be undone', () => {
    const text = 'An answer (interface 5.5 is similar) and Interface 4.8 and 4.7.'
    const once = linkCitations(text, page)
    expect(linkCitations(once, page)).toBe(once)
    expect(unlinkCitations(once)).toBe(text)
  })

  test('repairs a link whose heading was renamed', () => {
    expect(linkCitations('[Interface 9](docs/interface.md#9-old-name)', page)).toBe(
      to('Interface 9', '9-versioning'),
    )
  })

  test('throws on a section that does not exist', () => {
    expect(() => linkCitations('Interface 5.9', page)).toThrow(/Interface 5\.9/)
  })
})
