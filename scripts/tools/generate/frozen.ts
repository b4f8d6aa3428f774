import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequirementsOfVersion } from '../../../conformance/contracts/payment-service/requirements/versions.ts'

/** The fingerprint of each frozen version. */
export const FROZEN_FILE = 'test/conformance/contracts/payment-service/requirements/frozen.json'

/** Reads the fingerprints of the frozen versions. */
export function readFrozen(): Record<string, string> {
  return JSON.parse(readFileSync(FROZEN_FILE, 'utf8')) as Record<string, string>
}

/** The SHA-256 of the requirements of a version, their levels and their cases, in any order and however they are written. */
export function fingerprint(requirements: RequirementsOfVersion): string {
  const lines = Object.entries(requirements).map(([number, { level, cases }]) =>
    [number, level, ...cases.toSorted()].join(' '),
  )
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}

/** SPEC.md with a version that is no longer a draft. @throws Error if it does not announce that version as a draft */
export function withoutDraft(spec: string, version: string): string {
  const draft = `This is version ${version} of the contract, a draft: it is frozen with the first release of hookproof.`
  if (!spec.includes(`\n${draft}\n`)) throw new Error(`SPEC.md does not have the line "${draft}"`)
  return spec.replace(draft, `This is version ${version} of the contract.`)
}
