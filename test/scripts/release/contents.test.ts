import { expect, test } from 'vitest'
import { differences, kindsOf } from '../../../scripts/release/package.ts'

const files = ['README.md', 'dist/cli/main.js', 'dist/cli/part-AB.js', 'dist/index.d.ts', 'docs/a.md']

test('files of dist are one of a kind, and others have their names', () => {
  expect(kindsOf(files)).toEqual(['README.md', 'dist/*.d.ts', 'dist/cli/*.js', 'docs/a.md'])
})

test('a new kind of file and a missing one are differences, and another file of a kind is none', () => {
  const allowed = kindsOf(files)
  expect(differences([...files, 'dist/cli/part-CD.js'], allowed)).toEqual([])
  expect(differences([...files, 'dist/cli/main.ts', '.env'], allowed)).toEqual([
    'dist/cli/main.ts is not intended',
    '.env is not intended',
  ])
  expect(differences(files.slice(1), allowed)).toEqual(['README.md is missing'])
})
