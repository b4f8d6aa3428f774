import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { differences, kindsOf, notesOf, stage, targetsOf } from '../../../scripts/release/package.ts'
import { withTemporaryFolder } from '../../../scripts/shared/temporary-folder.ts'

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

const README = ['package.json', 'README.md', 'docs/check.md']
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const onGitHub = (view: string, path: string) =>
  `https://github.com/hookproof/hookproof/${view}/v${version}/${path}`

test('a link to a file outside the package leads to GitHub, at the tag of the version', async () => {
  await withTemporaryFolder(async (folder) => {
    stage('.', README, folder)
    const targets = targetsOf(readFileSync(join(folder, 'README.md'), 'utf8'))
    expect(targets).toEqual(
      expect.arrayContaining([
        'docs/check.md',
        'docs/check.md#what-it-proves',
        onGitHub('blob', 'receiver/README.md'),
        onGitHub('blob', 'container/Dockerfile'),
        onGitHub('raw', '.github/pictures/report-light.png'),
        onGitHub('raw', '.github/pictures/report-dark.png'),
      ]),
    )
  })
})

test('a document of another folder keeps its place, and an anchor stays', async () => {
  await withTemporaryFolder(async (folder) => {
    stage('receiver', ['package.json', 'README.md'], folder)
    const targets = targetsOf(readFileSync(join(folder, 'README.md'), 'utf8'))
    expect(targets.filter((target) => target.startsWith('..'))).toEqual([])
    expect(targets).toContain(onGitHub('blob', 'docs/codes.md'))
  })
})

test('the published package.json has no scripts and no workspaces', async () => {
  await withTemporaryFolder(async (folder) => {
    stage('.', ['package.json'], folder)
    const { scripts, workspaces, ...expected } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect([scripts, workspaces]).not.toContain(undefined)
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual(expected)
  })
})
