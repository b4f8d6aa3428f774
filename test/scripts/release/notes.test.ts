import { expect, test } from 'vitest'
import { notesOf } from '../../../scripts/release/package.ts'

const changelog =
  '# Changelog\n\n## Unreleased: 1.2.0\n\nNew.\n\n## 1.1.0 (2026-01-02)\n\n- One.\n\n### More\n\n- Two.\n\n## 1.0.0\n'

test('the notes are the section of the version', () => {
  expect(notesOf(changelog, '1.1.0', false)).toBe('- One.\n\n### More\n\n- Two.\n')
})

test('a dry run takes the unreleased section, and a release does not', () => {
  expect(notesOf(changelog, '1.2.0', true)).toBe('New.\n')
  expect(() => notesOf(changelog, '1.2.0', false)).toThrow('add the section "## 1.2.0"')
})

test('an empty section is no notes, nor is that of a version that only begins alike', () => {
  expect(() => notesOf(changelog, '1.0.0', false)).toThrow('is empty')
  expect(() => notesOf(changelog, '1.1', false)).toThrow('add the section "## 1.1"')
})
