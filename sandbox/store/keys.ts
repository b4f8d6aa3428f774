import type { ApiKey, Mode, Scope } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface Row {
  id: string
  organisation_id: string
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
  ofOrganisation: (organisationId: string) => ApiKey[]
  /** @returns false if the key does not exist or is already revoked */
  revoke: (organisationId: string, id: string, now: number) => boolean
}

/** Prepares the statements on API keys. */
export function apiKeys(database: Database): ApiKeys {
  const columns = 'id, organisation_id, mode, shown, scopes, created_at, revoked_at'
  const insert = command(
    database,
    `INSERT INTO api_keys (id, organisation_id, mode, shown, hash, scopes, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const byHash = query<Row>(database, `SELECT ${columns} FROM api_keys WHERE hash = ?`)
  const list = query<Row>(database, `SELECT ${columns} FROM api_keys WHERE organisation_id = ? ORDER BY seq`)
  const revoke = command(
    database,
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND organisation_id = ? AND revoked_at IS NULL',
  )
  return {
    insert: ({ id, organisationId, mode, shown, scopes, createdAt }, hash) =>
      void insert(id, organisationId, mode, shown, hash, scopes.join(' '), createdAt),
    byHash: (hash) => {
      const row = byHash.get(hash)
      return row && keyOf(row)
    },
    ofOrganisation: (organisationId) => list.all(organisationId).map(keyOf),
    revoke: (organisationId, id, now) => revoke(now, id, organisationId) === 1,
  }
}

const keyOf = (row: Row): ApiKey => ({
  id: row.id,
  organisationId: row.organisation_id,
  mode: row.mode,
  shown: row.shown,
  scopes: row.scopes.split(' ').filter((scope) => scope !== '') as Scope[],
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
})
