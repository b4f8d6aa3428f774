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
