import { SandboxError } from '../errors.ts'
import { hashOf, idFromSeed, newId } from '../ids.ts'
import { type Mode, SCOPES, type Scope } from '../model.ts'
import type { Store } from '../store/store.ts'
import type { Base } from './payments.ts'

type NewKey = {
  organizationId: string
  mode: Mode
  /** All scopes when absent. */
  scopes?: readonly Scope[]
  /** The key itself; by default a random one. */
  value?: string
}

export type KeyService = ReturnType<typeof keyService>

const shownOf = (value: string) => `${value.slice(0, 'svc_test_'.length + 4)}…`

/** A random key of a mode. Interface 5.1: the prefix, then a secret part. */
const newKeyValue = (mode: Mode): string => newId(mode === 'live' ? 'svc_live_' : 'svc_test_', 32)

/** Creates the API key service. */
export function keyService({ store, clock, feed }: Pick<Base, 'store' | 'clock' | 'feed'>) {
  return {
    /** @returns the stored key, and `value`, which cannot be retrieved again */
    create: ({ organizationId, mode, scopes = SCOPES, value = newKeyValue(mode) }: NewKey) => {
      const key = {
        id: newId('key_'),
        organizationId,
        mode,
        shown: shownOf(value),
        scopes: [...new Set(scopes)],
        createdAt: clock.now(),
      }
      store.keys.insert({ ...key, hash: hashOf(value) })
      feed.publish({ kind: 'key', id: key.id })
      return { ...key, revokedAt: null, value }
    },
    /** Finds the stored key of a request, including revoked keys. */
    find: (value: string) => store.keys.byHash(hashOf(value)),
    /** @returns false if the organization has no such active key */
    revoke: (organizationId: string, id: string): boolean => {
      const revoked = store.keys.revoke(organizationId, id, clock.now())
      if (revoked) feed.publish({ kind: 'key', id })
      return revoked
    },
  }
}

/** A default organization with its default keys. */
export interface SeededOrganization {
  id: string
  name: string
  testKey: string
  liveKey: string
  /** Signs what goes to a payment's webhook_url. */
  webhookUrlSecret: string
}

const NAMES = ['Tea House', 'Other Shop'] as const

/**
 * The organizations that a new store starts with: two, to demonstrate that neither can access the other's data. Their
 * keys and secrets are derived from the seed alone, so each start can show them although only hashes are stored.
 */
export function seededOrganizations(seed: string): SeededOrganization[] {
  return NAMES.map((name, index) => {
    const key = (mode: Mode) => idFromSeed(seed, `${index} ${mode} key`, `svc_${mode}_`, 32)
    return {
      id: idFromSeed(seed, `${index} organization`, 'org_'),
      name,
      testKey: key('test'),
      liveKey: key('live'),
      webhookUrlSecret: idFromSeed(seed, `${index} webhook_url secret`, 'whsec_', 32),
    }
  })
}

/**
 * Creates the default organizations in an empty store; a store that has them stays unchanged.
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
      '"seed" differs from the seed that the file was created with. Leave it out, reset the sandbox (hookproof sandbox --reset), or use another file.',
      { names: ['seed'] },
    )
  }
  const seed = requested ?? newId('org_')
  store.transaction(() => {
    store.settings.set('seed', seed)
    for (const { id, name, webhookUrlSecret, testKey, liveKey } of seededOrganizations(seed)) {
      store.organizations.insert({ id, name, webhookUrlSecret })
      keys.create({ organizationId: id, mode: 'test', value: testKey })
      keys.create({ organizationId: id, mode: 'live', value: liveKey })
    }
  })
  return seed
}
