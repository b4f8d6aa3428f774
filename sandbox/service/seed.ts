import { SandboxError } from '../errors.ts'
import { idFromSeed, newId } from '../ids.ts'
import type { Mode } from '../model.ts'
import type { Store } from '../store/store.ts'
import type { KeyService } from './keys.ts'

/** An organisation of a fresh store with its first keys. */
export interface SeededOrganisation {
  id: string
  name: string
  testKey: string
  liveKey: string
  /** Signs what goes to a payment's webhook_url. */
  webhookUrlSecret: string
}

const NAMES = ['Tea House', 'Other Shop'] as const

/**
 * The organisations that a store begins with: two, so that it shows that neither sees the other's things. Their keys
 * and secrets come from the seed alone, and so can be shown again at each start although only hashes are kept of them.
 */
export function seededOrganisations(seed: string): SeededOrganisation[] {
  return NAMES.map((name, index) => {
    const key = (mode: Mode) => idFromSeed(seed, `${index} ${mode} key`, `svc_${mode}_`, 32)
    return {
      id: idFromSeed(seed, `${index} organisation`, 'org_'),
      name,
      testKey: key('test'),
      liveKey: key('live'),
      webhookUrlSecret: idFromSeed(seed, `${index} webhook_url secret`, 'whsec_', 32),
    }
  })
}

/**
 * Makes the organisations of an empty store, and leaves one that has them as it is.
 * @param wanted the seed; by default the one that the store was made with, or for a new store a random one
 * @returns the seed that the store now has
 * @throws SandboxError if the store was made with another seed
 */
export function seedStore(store: Store, keys: KeyService, wanted: string | undefined): string {
  const has = store.settings.get('seed')
  if (has !== undefined) {
    if (wanted === undefined || wanted === has) return has
    throw new SandboxError(
      'other_seed',
      'the file was made with another seed: reset it, or choose another file.',
    )
  }
  const seed = wanted ?? newId('org_')
  store.transaction(() => {
    store.settings.set('seed', seed)
    for (const { id, name, webhookUrlSecret, testKey, liveKey } of seededOrganisations(seed)) {
      store.organisations.insert({ id, name, webhookUrlSecret })
      keys.create({ organisationId: id, mode: 'test', value: testKey })
      keys.create({ organisationId: id, mode: 'live', value: liveKey })
    }
  })
  return seed
}
