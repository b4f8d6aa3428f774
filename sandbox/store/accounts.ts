import type { ApiKey, Endpoint, EndpointMode, Mode, Organization, Scope } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface OrganizationRow {
  id: string
  name: string
  webhook_url_secret: string
}

export interface Organizations {
  insert: (organization: Organization) => void
  get: (id: string) => Organization | undefined
  /** Oldest first. */
  list: () => Organization[]
}

/** Prepares the statements on organizations. */
export function organizations(database: Database): Organizations {
  const insert = command(
    database,
    'INSERT INTO organizations (id, name, webhook_url_secret) VALUES (?, ?, ?)',
  )
  const get = query<OrganizationRow>(database, 'SELECT * FROM organizations WHERE id = ?')
  const list = query<OrganizationRow>(database, 'SELECT * FROM organizations ORDER BY rowid')
  return {
    insert: ({ id, name, webhookUrlSecret }) => void insert(id, name, webhookUrlSecret),
    get: (id) => {
      const row = get.get(id)
      return row && organizationOf(row)
    },
    list: () => list.all().map(organizationOf),
  }
}

const organizationOf = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  webhookUrlSecret: row.webhook_url_secret,
})

interface KeyRow {
  id: string
  organization_id: string
  mode: Mode
  shown: string
  scopes: string
  created_at: number
  revoked_at: number | null
}

/** API keys, stored as hashes. Interface 5.1. */
export interface ApiKeys {
  /** @param hash SHA-256 of the key */
  insert: (key: Omit<ApiKey, 'revokedAt'>, hash: Uint8Array) => void
  byHash: (hash: Uint8Array) => ApiKey | undefined
  /** Oldest first, including revoked keys. */
  ofOrganization: (organizationId: string) => ApiKey[]
  /** @returns false if the key does not exist or is already revoked */
  revoke: (organizationId: string, id: string, now: number) => boolean
}

/** Prepares the statements on API keys. */
export function apiKeys(database: Database): ApiKeys {
  const columns = 'id, organization_id, mode, shown, scopes, created_at, revoked_at'
  const insert = command(
    database,
    `INSERT INTO api_keys (id, organization_id, mode, shown, hash, scopes, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const byHash = query<KeyRow>(database, `SELECT ${columns} FROM api_keys WHERE hash = ?`)
  const list = query<KeyRow>(
    database,
    `SELECT ${columns} FROM api_keys WHERE organization_id = ? ORDER BY seq`,
  )
  const revoke = command(
    database,
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND organization_id = ? AND revoked_at IS NULL',
  )
  return {
    insert: ({ id, organizationId, mode, shown, scopes, createdAt }, hash) =>
      void insert(id, organizationId, mode, shown, hash, scopes.join(' '), createdAt),
    byHash: (hash) => {
      const row = byHash.get(hash)
      return row && keyOf(row)
    },
    ofOrganization: (organizationId) => list.all(organizationId).map(keyOf),
    revoke: (organizationId, id, now) => revoke(now, id, organizationId) === 1,
  }
}

const keyOf = (row: KeyRow): ApiKey => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  shown: row.shown,
  scopes: row.scopes.split(' ').filter((scope) => scope !== '') as Scope[],
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
})

interface EndpointRow {
  id: string
  organization_id: string
  url: string
  secret: string | null
  events: string
  mode: EndpointMode
  is_enabled: number
  description: string | null
  created_at: number
  deleted_at: number | null
}

/** Registered endpoints. Interface 2.1. */
export interface Endpoints {
  insert: (endpoint: Omit<Endpoint, 'isEnabled' | 'deletedAt'>) => void
  /** Also finds deleted endpoints, which no longer have a secret. */
  get: (id: string) => Endpoint | undefined
  /** Endpoints that are not deleted, oldest first. */
  ofOrganization: (organizationId: string) => Endpoint[]
  /** Changes made in the dashboard; the interface has no call for them. */
  update: (id: string, change: Pick<Endpoint, 'isEnabled' | 'description'>) => void
  /** Replaces the settings. */
  edit: (id: string, settings: Pick<Endpoint, 'url' | 'events' | 'mode' | 'description'>) => void
  /** Also destroys the secret. Interface 4.4. @returns false if the organization has no such endpoint */
  delete: (organizationId: string, id: string, now: number) => boolean
}

/** Prepares the statements on endpoints. */
export function endpoints(database: Database): Endpoints {
  const insert = command(
    database,
    `INSERT INTO endpoints (id, organization_id, url, secret, events, mode, description, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = query<EndpointRow>(database, 'SELECT * FROM endpoints WHERE id = ?')
  const list = query<EndpointRow>(
    database,
    'SELECT * FROM endpoints WHERE organization_id = ? AND deleted_at IS NULL ORDER BY seq',
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
    insert: ({ id, organizationId, url, secret, events, mode, description, createdAt }) =>
      void insert(id, organizationId, url, secret, events.join(' '), mode, description, createdAt),
    get: (id) => {
      const row = get.get(id)
      return row && endpointOf(row)
    },
    ofOrganization: (organizationId) => list.all(organizationId).map(endpointOf),
    update: (id, { isEnabled, description }) => void update(isEnabled ? 1 : 0, description, id),
    edit: (id, { url, events, mode, description }) => void edit(url, events.join(' '), mode, description, id),
    delete: (organizationId, id, now) => remove(now, id, organizationId) === 1,
  }
}

const endpointOf = (row: EndpointRow): Endpoint => ({
  id: row.id,
  organizationId: row.organization_id,
  url: row.url,
  secret: row.secret,
  events: row.events.split(' ') as Endpoint['events'],
  mode: row.mode,
  isEnabled: row.is_enabled === 1,
  description: row.description,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
})

/**
 * Stored settings: the seed of the default keys, how far the clock was advanced, how far it is still to be advanced, and
 * whether a reset has begun.
 */
type Setting = 'seed' | 'clock_offset_ms' | 'clock_goal_ms' | 'is_resetting'

export interface Settings {
  get: (name: Setting) => string | undefined
  set: (name: Setting, value: string) => void
  delete: (name: Setting) => void
}

/** Prepares the statements on settings. */
export function settings(database: Database): Settings {
  const get = query<{ value: string }>(database, 'SELECT value FROM settings WHERE name = ?')
  const set = command(
    database,
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const remove = command(database, 'DELETE FROM settings WHERE name = ?')
  return {
    get: (name) => get.get(name)?.value,
    set: (name, value) => void set(name, value),
    delete: (name) => void remove(name),
  }
}

/** The payment created with an Idempotency-Key, and a hash of the request. */
interface IdempotencyEntry {
  organizationId: string
  mode: Mode
  key: string
  requestHash: Uint8Array
  paymentId: string
  createdAt: number
}

export interface IdempotencyKeys {
  insert: (entry: IdempotencyEntry) => void
  get: (organizationId: string, mode: Mode, key: string) => Omit<IdempotencyEntry, 'key'> | undefined
  /** Deletes entries created before a time, in milliseconds since 1970. */
  purge: (before: number) => void
}

interface IdempotencyRow {
  organization_id: string
  mode: Mode
  request_hash: Uint8Array
  payment_id: string
  created_at: number
}

/** Prepares the statements on idempotency keys. */
export function idempotencyKeys(database: Database): IdempotencyKeys {
  const insert = command(
    database,
    `INSERT INTO idempotency_keys (organization_id, mode, key, request_hash, payment_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  )
  const get = query<IdempotencyRow>(
    database,
    'SELECT * FROM idempotency_keys WHERE organization_id = ? AND mode = ? AND key = ?',
  )
  const purge = command(database, 'DELETE FROM idempotency_keys WHERE created_at < ?')
  return {
    insert: ({ organizationId, mode, key, requestHash, paymentId, createdAt }) =>
      void insert(organizationId, mode, key, requestHash, paymentId, createdAt),
    get: (organizationId, mode, key) => {
      const row = get.get(organizationId, mode, key)
      return (
        row && {
          organizationId: row.organization_id,
          mode: row.mode,
          requestHash: row.request_hash,
          paymentId: row.payment_id,
          createdAt: row.created_at,
        }
      )
    },
    purge: (before) => void purge(before),
  }
}
