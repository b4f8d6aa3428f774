import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stage, targetsOf } from '../../../scripts/release/package.ts'
import { withTemporaryFolder } from '../../../scripts/shared/temporary-folder.ts'

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
