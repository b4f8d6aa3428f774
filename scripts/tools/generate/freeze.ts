// Freezes a version of the contract that SPEC.md announces as a draft: its requirements, levels and cases never change
// afterwards, and test/conformance/contracts/payment-service/requirements/versions.test.ts fails if they do.
//   npm run generate -- --freeze 1.0
import { readFileSync, writeFileSync } from 'node:fs'
import {
  requirementsOf,
  requireVersion,
} from '../../../conformance/contracts/payment-service/requirements/versions.ts'
import { FROZEN_FILE, fingerprint, readFrozen, withoutDraft } from './frozen.ts'

try {
  const version = process.argv[process.argv.indexOf('--freeze') + 1]
  if (version === undefined) throw new Error('pass the version to freeze, such as 1.0')
  const frozen = readFrozen()
  if (frozen[version] !== undefined) throw new Error(`version ${version} is frozen already`)
  const spec = withoutDraft(readFileSync('SPEC.md', 'utf8'), version)
  const hash = fingerprint(requirementsOf(requireVersion(version)))
  writeFileSync('SPEC.md', spec)
  writeFileSync(FROZEN_FILE, `${JSON.stringify({ ...frozen, [version]: hash }, null, 2)}\n`)
  console.log(`Version ${version} is frozen: ${hash}. Commit SPEC.md and ${FROZEN_FILE}.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
