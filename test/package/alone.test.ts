import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staysInside, targetsOf } from '../../scripts/release/package.ts'
import { filesOf, type Installed, packAndInstall, promisedWeight, weightOf } from './install.ts'

let installed: Installed

beforeAll(async () => {
  // It also installs @hookproof/receiver.
  installed = await packAndInstall('hookproof')
})

afterAll(() => installed?.remove())

describe.each(['hookproof', '@hookproof/receiver'])('%s serves a user who has only the package', (name) => {
  const root = () => join(installed.folder, 'node_modules', name)

  test('the links of its documents lead to its own files or to other sites', () => {
    const files = filesOf({ ...installed, root: root() })
    const documents = files.filter((file) => file.endsWith('.md'))
    expect(documents).toContain('README.md')
    const broken = documents.flatMap((file) =>
      targetsOf(readFileSync(join(root(), file), 'utf8'))
        .filter((link) => !staysInside(link, file, files))
        .map((link) => `${file}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test('npm has no scripts to run or to warn about', () => {
    expect(JSON.parse(readFileSync(join(root(), 'package.json'), 'utf8'))).not.toHaveProperty('scripts')
  })
})

test('installs no more than README.md says', () => {
  const { packages, megabytes } = weightOf(installed)
  const promised = promisedWeight('hookproof')
  expect(packages).toBeLessThanOrEqual(promised.packages)
  expect(megabytes).toBeLessThanOrEqual(promised.megabytes)
  // A much larger number would say little.
  expect([packages / promised.packages, megabytes / promised.megabytes].map((share) => share > 0.6)).toEqual([
    true,
    true,
  ])
})
