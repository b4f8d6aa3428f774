import { HarnessError } from '../../../harness-error.ts'
import type { CatalogueCase, ContractVersion, Level } from '../../webhook/model.ts'
import versions from './versions.json' with { type: 'json' }

/** What a version of the contract requires: the level of each requirement, and the cases that test it. */
export type RequirementsOfVersion = Readonly<
  Record<string, { readonly level: Level; readonly cases: readonly string[] }>
>

const VERSIONS = versions as Readonly<Record<ContractVersion, RequirementsOfVersion>>

/** Every version, the oldest first. */
export const CONTRACT_VERSIONS = Object.keys(VERSIONS) as readonly ContractVersion[]

/** The version of SPEC.md as it is. */
export const CURRENT_VERSION = CONTRACT_VERSIONS.at(-1) as ContractVersion

/** The newest version, or this one. @throws HarnessError `bad_option` when this version of hookproof does not know it */
export function requireVersion(version: string = CURRENT_VERSION): ContractVersion {
  const known = CONTRACT_VERSIONS.find((one) => one === version)
  if (known !== undefined) return known
  const names = CONTRACT_VERSIONS.join(', ')
  throw new HarnessError('bad_option', `"contract" must be one of ${names}, not ${version}`, {
    names: ['contract'],
  })
}

/**
 * A case as a version of the contract has it.
 *
 * @returns with the level of that version; undefined for a case that entered the contract later
 */
export function caseIn(version: ContractVersion, testCase: CatalogueCase): CatalogueCase | undefined {
  return caseAmong(LEVELS.get(version) ?? levelsOf(requirementsOf(version)), testCase)
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

/** The requirements of a version. @throws RangeError for a version that does not exist */
export function requirementsOf(version: ContractVersion): RequirementsOfVersion {
  const requirements = VERSIONS[version]
  if (requirements === undefined) throw new RangeError(`there is no version ${version} of the contract`)
  return requirements
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

const LEVELS = new Map(CONTRACT_VERSIONS.map((version) => [version, levelsOf(requirementsOf(version))]))
