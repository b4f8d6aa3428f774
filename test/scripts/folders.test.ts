import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { missingProgram, requires } from '../support/prerequisites.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))
const MOST_FILES = 20

/** The folders with too many files of their own; files of subfolders do not count. */
function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].filter(([, files]) => files > MOST_FILES).map(([folder, files]) => `${folder}: ${files}`)
}

requires(missingProgram('git')).test('no folder contains more than 20 files', () => {
  const list = execFileSync('git', ['ls-files', '-z'], { cwd: REPOSITORY, encoding: 'utf8' })
  const paths = list.split('\0').filter((path) => path !== '')
  expect(paths).toContain('package.json')
  expect(crowdedFolders(paths)).toEqual([])
})

test('a folder with 21 files is reported', () => {
  const paths = Array.from({ length: 21 }, (_, index) => `a/b/${index}.ts`)
  expect(crowdedFolders([...paths, 'a/c.ts'])).toEqual(['a/b: 21'])
  expect(crowdedFolders(paths.slice(1))).toEqual([])
})
