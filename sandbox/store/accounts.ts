import type { ApiKey, Endpoint, Mode, Organization } from '../model.ts'
import { command, query, records } from './rows.ts'
import type { Database } from './sqlite.ts'

/** The statements on organizations. */
export function organizations(database: Database) {
  const { of, insertion } = records<Organization>()
  const get = query(database, 'SELECT * FROM organizations WHERE id = ?', of)
  const list = query(database, 'SELECT * FROM organizations ORDER BY rowid', of)
  return {
    insert: insertion(database, 'organizations') as (organization: Organization) => void,
    get: (id: string) => get.get(id),
    /** Oldest first. */
    list: () => list.all(),
    /** The oldest: that of programs without a key. */
    first: (): Organization => {
      const [organization] = list.all()
      if (organization === undefined) throw new Error('the sandbox has no organization')
      return organization
    },
  }
}

/** The statements on API keys, which are stored as hashes. Interface 5.1. */
export function apiKeys(database: Database) {
  const { of, insertion } = records<ApiKey>({ scopes: 'words' })
  const byHash = query(database, 'SELECT * FROM api_keys WHERE hash = ?', of)
  const list = query(database, 'SELECT * FROM api_keys WHERE organization_id = ? ORDER BY seq', of)
  const revoke = command(
    database,
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND organization_id = ? AND revoked_at IS NULL',
  )
  return {
    /** `hash`: SHA-256 of the key. */
    insert: insertion(database, 'api_keys') as (
      key: Omit<ApiKey, 'revokedAt'> & { hash: Uint8Array },
    ) => void,
    byHash: (hash: Uint8Array) => byHash.get(hash),
    /** Oldest first, including revoked keys. */
    ofOrganization: (organizationId: string) => list.all(organizationId),
    /** @returns false if the key does not exist or is already revoked */
    revoke: (organizationId: string, id: string, now: number) => revoke(now, id, organizationId) === 1,
  }
}

/** The statements on registered endpoints. Interface 2.1. */
export function endpoints(database: Database) {
  const { of, insertion } = records<Endpoint>({ events: 'words', isEnabled: 'flag' })
  const get = query(database, 'SELECT * FROM endpoints WHERE id = ?', of)
  const list = query(
    database,
    'SELECT * FROM endpoints WHERE organization_id = ? AND deleted_at IS NULL ORDER BY seq',
    of,
  )
  const update = command(
    database,
    'UPDATE endpoints SET is_enabled = ?, description = ? WHERE id = ? AND deleted_at IS NULL',
  )
  const edit = command(
    database,
    'UPDATE endpoints SET url = ?, events = ?, mode = ?, description = ? WHERE id = ? AND deleted_at IS NULL',
  )
  const remove = command(
    database,
    `UPDATE endpoints SET secret = NULL, is_enabled = 0, deleted_at = ?
     WHERE id = ? AND organization_id = ? AND deleted_at IS NULL`,
  )
  return {
    insert: insertion(database, 'endpoints') as (endpoint: Omit<Endpoint, 'isEnabled' | 'deletedAt'>) => void,
    /** Also finds deleted endpoints, which no longer have a secret. */
    get: (id: string) => get.get(id),
    /** Endpoints that are not deleted, oldest first. */
    ofOrganization: (organizationId: string) => list.all(organizationId),
    /** Changes made in the dashboard; the interface has no call for them. */
    update: (id: string, { isEnabled, description }: Pick<Endpoint, 'isEnabled' | 'description'>) =>
      void update(isEnabled ? 1 : 0, description, id),
    edit: (id: string, settings: Pick<Endpoint, 'url' | 'events' | 'mode' | 'description'>) =>
      void edit(settings.url, settings.events.join(' '), settings.mode, settings.description, id),
    /** Also destroys the secret. Interface 4.4. @returns false if the organization has no such endpoint */
    delete: (organizationId: string, id: string, now: number) => remove(now, id, organizationId) === 1,
  }
}

/**
 * Stored settings: the seed of the default keys, how far the clock was advanced, how far it is still to be advanced, and
 * whether a reset has begun.
 */
type Setting = 'seed' | 'clock_offset_ms' | 'clock_goal_ms' | 'is_resetting'

export type Settings = ReturnType<typeof settings>

/** The statements on settings. */
export function settings(database: Database) {
  const get = query<{ value: string }>(database, 'SELECT value FROM settings WHERE name = ?')
  const set = command(
    database,
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const remove = command(database, 'DELETE FROM settings WHERE name = ?')
  return {
    get: (name: Setting) => get.get(name)?.value,
    set: (name: Setting, value: string) => void set(name, value),
    delete: (name: Setting) => void remove(name),
  }
}

/** The payment created with an Idempotency-Key, and a hash of the request. */
type IdempotencyEntry = {
  organizationId: string
  mode: Mode
  key: string
  requestHash: Uint8Array
  paymentId: string
  createdAt: number
}

/** The statements on idempotency keys. */
export function idempotencyKeys(database: Database) {
  const { of, insertion } = records<IdempotencyEntry>()
  const get = query(
    database,
    'SELECT * FROM idempotency_keys WHERE organization_id = ? AND mode = ? AND key = ?',
    of,
  )
  const purge = command(database, 'DELETE FROM idempotency_keys WHERE created_at < ?')
  return {
    insert: insertion(database, 'idempotency_keys') as (entry: IdempotencyEntry) => void,
    get: (organizationId: string, mode: Mode, key: string) => get.get(organizationId, mode, key),
    /** Deletes entries created before a time, in milliseconds since 1970. */
    purge: (before: number) => void purge(before),
  }
}
