import { hashOf, newId } from '../ids.ts'
import { type ApiKey, type Mode, SCOPES, type Scope } from '../model.ts'
import type { Base } from './payments.ts'

/** The fields of a new key. Interface 5.1 and 5.4. */
interface NewKey {
  organisationId: string
  mode: Mode
  /** All scopes when absent. */
  scopes?: readonly Scope[]
  /** The key itself; by default a random one. */
  value?: string
}

export interface KeyService {
  /** @returns the stored key, and `value`, which cannot be retrieved again */
  create: (key: NewKey) => ApiKey & { value: string }
  /** Finds the stored key of a request, including revoked keys. */
  find: (value: string) => ApiKey | undefined
  /** @returns false if the organisation has no such active key */
  revoke: (organisationId: string, id: string) => boolean
}

/** The readable start of a key: its prefix and four characters. */
const shownOf = (value: string) => `${value.slice(0, 'svc_test_'.length + 4)}…`

/** A random key of a mode. Interface 5.1: the prefix, then a secret part. */
const newKeyValue = (mode: Mode): string => newId(mode === 'live' ? 'svc_live_' : 'svc_test_', 32)

/** Creates the API key service. */
export function keyService({ store, clock, feed }: Pick<Base, 'store' | 'clock' | 'feed'>): KeyService {
  return {
    create: ({ organisationId, mode, scopes = SCOPES, value = newKeyValue(mode) }) => {
      const key = {
        id: newId('key_'),
        organisationId,
        mode,
        shown: shownOf(value),
        scopes: [...new Set(scopes)],
        createdAt: clock.now(),
      }
      store.keys.insert(key, hashOf(value))
      feed.publish({ kind: 'key', id: key.id })
      return { ...key, revokedAt: null, value }
    },
    find: (value) => store.keys.byHash(hashOf(value)),
    revoke: (organisationId, id) => {
      const revoked = store.keys.revoke(organisationId, id, clock.now())
      if (revoked) feed.publish({ kind: 'key', id })
      return revoked
    },
  }
}
