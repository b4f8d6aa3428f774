import { type InboxReader, NoInboxError } from '@hookproof/receiver'
import { placeOf } from './inbox-place.ts'
import { loadPostgres, malformedUrl } from './store.ts'

/**
 * Opens an existing inbox for reading only: the URL of a Postgres database, or the path of a SQLite file.
 * @throws InboxError if there is no inbox, or it cannot be read.
 */
export async function openReader(inbox: string): Promise<InboxReader> {
  const place = placeOf(inbox)
  if (place === 'malformed') throw malformedUrl(inbox)
  if (place === 'memory') {
    throw new NoInboxError(
      'inbox memory: it is visible to its own process only. Use a file, or the URL of a database.',
    )
  }
  if (place === 'postgres') return openPostgres(inbox)
  const { readSqliteInbox } = await import('@hookproof/receiver/sqlite')
  return readSqliteInbox({ path: inbox })
}

async function openPostgres(url: string): Promise<InboxReader> {
  const { openPool, readPostgresInbox } = await loadPostgres()
  const pool = openPool(url)
  try {
    return { ...(await readPostgresInbox({ pool })), close: () => pool.close() }
  } catch (error) {
    pool.disconnect()
    throw error
  }
}
