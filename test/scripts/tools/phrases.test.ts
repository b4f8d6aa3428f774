import { describe, expect, test } from 'vitest'
import { findPhrases } from '../../../scripts/tools/phrases.ts'

describe('findPhrases', () => {
  test('finds a phrase, whatever its case, and gives its line and what to write instead', () => {
    expect(findPhrases('It works.\n\nCan not happen.')).toEqual([
      { line: 3, phrase: 'can not', instead: 'cannot' },
    ])
  })

  test('finds a phrase that continues on the next line of a paragraph or a comment', () => {
    expect(findPhrases('This can\nnot happen.')).toHaveLength(1)
    expect(findPhrases('// This can\n// not happen.')).toHaveLength(1)
    expect(findPhrases('/**\n * This can\n * not happen.\n */')).toHaveLength(1)
  })

  test('ignores words that contain the parts of a phrase, and paragraphs that end and begin with them', () => {
    expect(findPhrases('A case without endpoints. He came background first.')).toEqual([])
    expect(findPhrases('Shut the can\n\nNot now.')).toEqual([])
  })
})
