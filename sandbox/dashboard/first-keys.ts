import type { Context } from '../context.ts'
import type { Mode, Organization } from '../model.ts'
import { seededOrganizations } from '../service/seed.ts'

/** A key that the sandbox began with, whole. */
export interface FirstKey {
  readonly id: string
  readonly mode: Mode
  readonly value: string
}

/**
 * The keys that an organization began with and that are still in use, the test key first. They come from the seed, and
 * so can be shown whole again, as the terminal does; of any other key only a hash is kept. Interface 5.1.
 */
export function firstKeys({ seed, keys }: Pick<Context, 'seed' | 'keys'>, { id }: Organization): FirstKey[] {
  const seeded = seededOrganizations(seed()).find((one) => one.id === id)
  if (seeded === undefined) return []
  return [seeded.testKey, seeded.liveKey].flatMap((value) => {
    const key = keys.find(value)
    return key === undefined || key.revokedAt !== null ? [] : [{ id: key.id, mode: key.mode, value }]
  })
}
