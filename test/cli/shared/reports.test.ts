import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareReports, writeReports } from '../../../cli/shared/reports.ts'
import { madeFailure, madeReport } from '../../conformance/report/made.ts'
import { temporaryFolder, testIo } from '../support.ts'

test.each([
  [true, 'hookproof: Not conformant, grade F; written to a.json, b.xml\n'],
  [false, ''],
])(
  'on a terminal (%s), the conclusion remains on the screen where all reports go to files',
  async (isTTY, line) => {
    const { io, stdout, stderr } = testIo({ cwd: temporaryFolder() })
    Object.assign(io.stderr, { isTTY })
    const requests = await prepareReports(io, ['json=a.json', 'junit=b.xml'])
    expect(await writeReports(madeReport([madeFailure('refusals/x', 'security')]), requests, io)).toBe(true)
    expect([stdout(), stderr()]).toEqual(['', line])
  },
)

test('a report has its commands as the project runs them; a saved one, which others may render, has them by npx', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'package.json'), '{"devDependencies":{"hookproof":"1"}}')
  writeFileSync(join(cwd, 'yarn.lock'), '')
  const { io, stdout } = testIo({ cwd })
  const failure = { ...madeFailure('refusals/x', 'security'), reproduce: 'npx hookproof send x' }
  await writeReports(madeReport([failure]), await prepareReports(io, ['terminal', 'json=a.json']), io)
  expect(stdout()).toContain('yarn hookproof send x')
  expect(readFileSync(join(cwd, 'a.json'), 'utf8')).toContain('npx hookproof send x')
})
