import type { Organisation } from '../model.ts'
import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

interface Row {
  id: string
  name: string
  webhook_url_secret: string
}

export interface Organisations {
  insert: (organisation: Organisation) => void
  get: (id: string) => Organisation | undefined
  /** Oldest first. */
  list: () => Organisation[]
}

/** Prepares the statements on organisations. */
export function organisations(database: Database): Organisations {
  const insert = command(
    database,
    'INSERT INTO organisations (id, name, webhook_url_secret) VALUES (?, ?, ?)',
  )
  const get = query<Row>(database, 'SELECT * FROM organisations WHERE id = ?')
  const list = query<Row>(database, 'SELECT * FROM organisations ORDER BY rowid')
  return {
    insert: ({ id, name, webhookUrlSecret }) => void insert(id, name, webhookUrlSecret),
    get: (id) => {
      const row = get.get(id)
      return row && organisationOf(row)
    },
    list: () => list.all().map(organisationOf),
  }
}

const organisationOf = (row: Row): Organisation => ({
  id: row.id,
  name: row.name,
  webhookUrlSecret: row.webhook_url_secret,
})
