import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a release that is refused says so in one line', () => {
  const program = ['--import', 'tsx', 'scripts/release/release.ts', '--tag', 'v999.0.0']
  const { status, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^release: the tag is v999\.0\.0, and package\.json has version \S+\n$/),
  })
})
