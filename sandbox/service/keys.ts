import { hashOf, newId } from '../ids.ts'
import { type ApiKey, type Mode, SCOPES, type Scope } from '../model.ts'
import type { Base } from './payments.ts'

/** What a key is made of. Interface 5.1 and 5.4. */
interface NewKey {
  organisationId: string
  mode: Mode
  /** All of them when absent. */
  scopes?: readonly Scope[]
  /** The key itself, for one that is to stay the same; by default a new one. */
  value?: string
}

export interface KeyService {
  /** @returns the key as it is kept, and `value`, which can not be had again */
  create: (key: NewKey) => ApiKey & { value: string }
  /** The key that a request brought; revoked ones too. */
  find: (value: string) => ApiKey | undefined
  /** @returns false if the organisation has no such key in use */
  revoke: (organisationId: string, id: string) => boolean
}

/** How much of a key is kept readable: its prefix and four letters. */
const shownOf = (value: string) => `${value.slice(0, 'svc_test_'.length + 4)}…`

/** A new key of a mode. Interface 5.1: the prefix, then a secret part. */
const newKeyValue = (mode: Mode): string => newId(mode === 'live' ? 'svc_live_' : 'svc_test_', 32)

/** Makes the service on API keys. */
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
