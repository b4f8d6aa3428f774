import { SandboxError } from '../errors.ts'
import { idFromSeed, newId } from '../ids.ts'
import type { Mode } from '../model.ts'
import type { Store } from '../store/store.ts'
import type { KeyService } from './keys.ts'

/** A default organisation with its default keys. */
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
 * The organisations that a new store starts with: two, to demonstrate that neither can access the other's data. Their
 * keys and secrets are derived from the seed alone, so each start can show them although only hashes are stored.
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
 * Creates the default organisations in an empty store; a store that has them stays unchanged.
 * @param requested the seed; by default the store's own seed, or a random one for a new store
 * @returns the store's seed
 * @throws SandboxError if the store was created with a different seed
 */
export function seedStore(store: Store, keys: KeyService, requested: string | undefined): string {
  const stored = store.settings.get('seed')
  if (stored !== undefined) {
    if (requested === undefined || requested === stored) return stored
    throw new SandboxError(
      'other_seed',
      '"seed" differs from the seed that the file was created with. Leave it out, reset the sandbox, or use another file.',
      { names: ['seed'] },
    )
  }
  const seed = requested ?? newId('org_')
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
