import { describe, expect, test } from 'vitest'
import { headingsOf, linksOf } from '../../scripts/tools/markdown.ts'

describe('headingsOf', () => {
  test('gives each heading the anchor that GitHub gives it', () => {
    const markdown = [
      '# `hookproof` check',
      '## 5.3 Webhook *signatures*',
      '### 4.7 POST /a_{b}_c: send again',
      "## What's new?",
      '## Twice',
      '## Twice',
    ].join('\n\n')
    expect(headingsOf(markdown).map(({ anchor }) => anchor)).toEqual([
      'hookproof-check',
      '53-webhook-signatures',
      '47-post-a_b_c-send-again',
      'whats-new',
      'twice',
      'twice-1',
    ])
  })

  test('ignores a comment in a code block', () => {
    expect(headingsOf('```sh\n# not a heading\n```\n\n# A heading')).toHaveLength(1)
  })
})

describe('linksOf', () => {
  test('finds links in text, lists and tables, and images', () => {
    const markdown =
      '[a](a.md) ![b](b.svg)\n\n- [c](c.md#d)\n\n| e |\n| --- |\n| [f](f.md) |\n\n[g][h]\n\n[h]: h.md'
    expect(linksOf(markdown)).toEqual(['a.md', 'b.svg', 'c.md#d', 'f.md', 'h.md'])
  })

  test('ignores code', () => {
    expect(linksOf('`[a](a.md)`\n\n```\n[b](b.md)\n```')).toEqual([])
  })
})
