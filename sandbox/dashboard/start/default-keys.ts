import type { Context } from '../../context.ts'
import type { Mode, Organization } from '../../model.ts'
import { seededOrganizations } from '../../service/seed.ts'

/** A complete API key that the sandbox was seeded with. */
export interface DefaultKey {
  readonly id: string
  readonly mode: Mode
  readonly value: string
}

/**
 * The organization's default keys that are not revoked, the test key first. They are derived from the seed, so they can
 * always be shown, as in the terminal; of any other key only a hash is stored. Interface 5.1.
 */
export function defaultKeys(
  { seed, keys }: Pick<Context, 'seed' | 'keys'>,
  { id }: Organization,
): DefaultKey[] {
  const seeded = seededOrganizations(seed()).find((organization) => organization.id === id)
  if (seeded === undefined) return []
  return [seeded.testKey, seeded.liveKey].flatMap((value) => {
    const key = keys.find(value)
    return key === undefined || key.revokedAt !== null ? [] : [{ id: key.id, mode: key.mode, value }]
  })
}
