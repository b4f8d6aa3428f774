import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { headingsOf } from '../../scripts/tools/markdown.ts'

const spec = readFileSync('SPEC.md', 'utf8')
const page = readFileSync('docs/interface.md', 'utf8')

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
})
