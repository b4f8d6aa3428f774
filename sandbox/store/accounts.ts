import type { ApiKey, Endpoint, Mode, Organization } from '../model.ts'
import { statements, tableOf } from './rows.ts'
import type { Database } from './sqlite.ts'

/** The statements on organizations. */
export function organizations(database: Database) {
  const table = tableOf<Organization>(database, 'organizations')
  return {
    insert: table.insert,
    get: (id: string) => table.one('WHERE id = ?', id),
    /** Oldest first. */
    list: () => table.all('ORDER BY rowid'),
    /** The oldest: that of programs without a key. */
    first: (): Organization => {
      const organization = table.one('ORDER BY rowid')
      if (organization === undefined) throw new Error('the sandbox has no organization')
      return organization
    },
  }
}

/** The statements on API keys, which are stored as hashes. Interface 5.1. */
export function apiKeys(database: Database) {
  const table = tableOf<ApiKey, 'revokedAt'>(database, 'api_keys', { scopes: 'words' })
  return {
    /** `hash`: SHA-256 of the key. */
    insert: (key: Omit<ApiKey, 'revokedAt'> & { hash: Uint8Array }) => table.insert(key),
    byHash: (hash: Uint8Array) => table.one('WHERE hash = ?', hash),
    /** Oldest first, including revoked keys. */
    ofOrganization: (organizationId: string) =>
      table.all('WHERE organization_id = ? ORDER BY seq', organizationId),
    /** @returns false if the key does not exist or is already revoked */
    revoke: (organizationId: string, id: string, revokedAt: number) =>
      table.update(
        { revokedAt },
        'id = ? AND organization_id = ? AND revoked_at IS NULL',
        id,
        organizationId,
      ) === 1,
  }
}

/** The statements on registered endpoints. Interface 2.1. */
export function endpoints(database: Database) {
  const table = tableOf<Endpoint, 'isEnabled' | 'deletedAt'>(database, 'endpoints', {
    events: 'words',
    isEnabled: 'flag',
  })
  return {
    insert: table.insert,
    /** Also finds deleted endpoints, which no longer have a secret. */
    get: (id: string) => table.one('WHERE id = ?', id),
    /** Endpoints that are not deleted, oldest first. */
    ofOrganization: (organizationId: string) =>
      table.all('WHERE organization_id = ? AND deleted_at IS NULL ORDER BY seq', organizationId),
    /** Changes made in the dashboard; the interface has no call for them. */
    update: (id: string, settings: EndpointSettings) =>
      void table.update(settings, 'id = ? AND deleted_at IS NULL', id),
    /** Also destroys the secret. Interface 4.4. @returns false if the organization has no such endpoint */
    delete: (organizationId: string, id: string, deletedAt: number) =>
      table.update(
        { secret: null, isEnabled: false, deletedAt },
        'id = ? AND organization_id = ? AND deleted_at IS NULL',
        id,
        organizationId,
      ) === 1,
  }
}

/** What can be changed of an endpoint. */
export type EndpointSettings = Partial<
  Pick<Endpoint, 'url' | 'events' | 'mode' | 'description' | 'isEnabled'>
>

/** Stored settings: the seed of the default keys, how far the clock was advanced, and the saved views of an organization. */
type Setting = 'seed' | 'clock_offset_ms' | `views:${string}`

export type Settings = ReturnType<typeof settings>

/** The statements on settings. */
export function settings(database: Database) {
  const { all, run } = statements(database)
  return {
    get: (name: Setting) =>
      all<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)[0]?.value,
    set: (name: Setting, value: string) =>
      void run(
        'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        name,
        value,
      ),
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
  const table = tableOf<IdempotencyEntry>(database, 'idempotency_keys')
  const { run } = statements(database)
  return {
    insert: table.insert,
    get: (organizationId: string, mode: Mode, key: string) =>
      table.one('WHERE organization_id = ? AND mode = ? AND key = ?', organizationId, mode, key),
    /** Deletes entries created before a time, in milliseconds since 1970. */
    purge: (before: number) => void run('DELETE FROM idempotency_keys WHERE created_at < ?', before),
  }
}
