import type { Organization } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface Row {
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
  const get = query<Row>(database, 'SELECT * FROM organizations WHERE id = ?')
  const list = query<Row>(database, 'SELECT * FROM organizations ORDER BY rowid')
  return {
    insert: ({ id, name, webhookUrlSecret }) => void insert(id, name, webhookUrlSecret),
    get: (id) => {
      const row = get.get(id)
      return row && organizationOf(row)
    },
    list: () => list.all().map(organizationOf),
  }
}

const organizationOf = (row: Row): Organization => ({
  id: row.id,
  name: row.name,
  webhookUrlSecret: row.webhook_url_secret,
})
