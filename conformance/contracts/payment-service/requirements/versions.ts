import { HarnessError } from '../../../engine/errors.ts'
import type { CatalogueCase, Level } from '../model.ts'
import type { RequirementsOfVersion } from './requirements.ts'
import { V1_0 } from './v1-0.ts'

const VERSIONS = { '1.0': V1_0 } as const satisfies Record<string, RequirementsOfVersion>

/** A version of the contract, such as `1.0` (SPEC.md, Versions). */
export type ContractVersion = keyof typeof VERSIONS

/** Every version, the oldest first. */
export const CONTRACT_VERSIONS = Object.keys(VERSIONS) as readonly ContractVersion[]

/** The version of SPEC.md as it is. */
export const CURRENT_VERSION: ContractVersion = '1.0'

/** @throws HarnessError `bad_option` for a version that this version of hookproof does not know */
export function requireVersion(version: string): ContractVersion {
  const known = CONTRACT_VERSIONS.find((one) => one === version)
  if (known !== undefined) return known
  const versions = CONTRACT_VERSIONS.join(', ')
  throw new HarnessError('bad_option', `"contract" must be one of ${versions}, not ${version}`, {
    names: ['contract'],
  })
}

/**
 * A case as a version of the contract has it.
 *
 * @returns with the level of that version; undefined for a case that entered the contract later
 */
export function caseIn(version: ContractVersion, testCase: CatalogueCase): CatalogueCase | undefined {
  return caseAmong(levelsIn(version), testCase)
}

/** The same for the levels of `levelsOf`. */
export function caseAmong(
  levels: ReadonlyMap<string, Level>,
  testCase: CatalogueCase,
): CatalogueCase | undefined {
  const level = levels.get(testCase.id)
  if (level === undefined) return undefined
  return level === testCase.level ? testCase : { ...testCase, level }
}

/** The requirements of a version. */
export function requirementsOf(version: ContractVersion): RequirementsOfVersion {
  return VERSIONS[version]
}

/** The level of each case of a version. */
export function levelsOf(requirements: RequirementsOfVersion): ReadonlyMap<string, Level> {
  return new Map(
    Object.values(requirements).flatMap(({ level, cases }) => cases.map((id) => [id, level] as const)),
  )
}

/** The first version with a case, or undefined for a case that no version has yet. */
export function enteredIn(testCase: CatalogueCase): ContractVersion | undefined {
  return CONTRACT_VERSIONS.find((version) => caseIn(version, testCase) !== undefined)
}

const read = new Map<ContractVersion, ReadonlyMap<string, Level>>()

function levelsIn(version: ContractVersion): ReadonlyMap<string, Level> {
  const levels = read.get(version) ?? levelsOf(requirementsOf(version))
  read.set(version, levels)
  return levels
}
