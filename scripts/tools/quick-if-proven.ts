// Runs a check of CI that takes minutes: a short form of it, if nothing that it depends on has changed since it last passed
// entirely. Needs a build.
//   npx tsx scripts/tools/quick-if-proven.ts browser
import { spawnSync } from 'node:child_process'
import { isProven, recordProven } from '../proofs/shared/proven.ts'

interface Check {
  /** What decides its result. */
  readonly folders: readonly string[]
  readonly entire: readonly string[]
  /** Arguments that make it short. */
  readonly quick: readonly string[]
}

const BROWSER: Check = {
  folders: [
    'cli',
    'conformance',
    'receiver',
    'sandbox',
    'server',
    'test/browser',
    'test/cli',
    'test/conformance',
    'test/mutants',
    'test/sandbox',
  ],
  entire: ['npx', 'vitest', 'run', '--config', 'test/browser/vitest.config.ts'],
  quick: ['content', 'sandbox-e2e'],
}
const NODE_26: Check = {
  folders: [
    '.ci',
    'cli',
    'conformance',
    'receiver',
    'sandbox',
    'server',
    'test/receiver',
    'test/runners',
    'test/sandbox',
    'test/server',
  ],
  entire: ['.ci/on-node', '26'],
  quick: ['--quick'],
}
const HOSTILE: Check = {
  folders: [
    'conformance',
    'load',
    'test/conformance/crash',
    'test/conformance/engine/wire',
    'test/conformance/support.ts',
  ],
  // Their results are no part of the report on the other tests of the system.
  entire: ['npx', 'vitest', 'run', '--config', 'test/system/vitest.config.ts', 'hostile', '--reporter=dot'],
  // Without `crash`, which starts each receiver several times: that takes as long as all else.
  quick: ['--exclude', '**/crash/hostile.system.test.ts'],
}
const CHECKS: Readonly<Record<string, Check>> = { browser: BROWSER, hostile: HOSTILE, 'node-26': NODE_26 }

const [name = ''] = process.argv.slice(2)
const check = CHECKS[name]
if (check === undefined) {
  process.stderr.write(`quick-if-proven: "${name}" must be one of ${Object.keys(CHECKS).join(', ')}\n`)
  process.exitCode = 2
} else {
  const isQuick = isProven(name, check.folders)
  if (isQuick) console.log(`${name}: a short run, since nothing has changed since an entire one passed`)
  const [program = '', ...options] = [...check.entire, ...(isQuick ? check.quick : [])]
  // As in CI, where a test that lacks something fails: with a skipped one, nothing would be proven.
  const env = isQuick ? process.env : { ...process.env, CI: 'true' }
  const { status } = spawnSync(program, options, { stdio: 'inherit', env })
  process.exitCode = status ?? 1
  if (status === 0 && !isQuick) recordProven(name, check.folders)
}
