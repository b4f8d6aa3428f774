import type { Delivery } from '../../model.ts'
import { command, query } from '../rows.ts'
import type { Database } from '../sqlite.ts'

/** Deliveries that are resent together. */
export interface Resend {
  readonly organizationId: string
  /** The number of the last delivery before those that it creates. */
  readonly after: number
  /** How many it resends. Until it is done, some of them may turn out to be resent already. */
  readonly total: number
  /** Whether all of them are queued. */
  readonly isDone: boolean
}

/** Some of the deliveries that a resend is to queue. */
export interface ResendBatch {
  readonly deliveries: readonly Delivery['id'][]
  /** Whether they only wait for their next attempt, which is to be made now. */
  readonly isRetry: boolean
}

/** What is resent together, stored so that a killed sandbox goes on at its next start. */
export interface Resends {
  /**
   * Stores a resend.
   * @param resend queued: how many new deliveries it has created; isListed: whether it has no batches
   * @returns its id
   */
  insert(resend: Omit<Resend, 'isDone'> & { queued: number; isListed: boolean }): number
  /** Adds a batch to a resend that is not listed yet. */
  add(resendId: number, batch: ResendBatch): void
  /** Lets the queue have the batches of a resend. */
  listed(resendId: number): void
  /** The first batch of all. @param last the number of the last delivery */
  nextBatch(last: number): (ResendBatch & { number: number; resendId: number }) | undefined
  /** Removes a batch. @param queued how many new deliveries it created */
  endBatch(batch: { number: number; resendId: number }, queued: number): void
  /** Deletes what a killed sandbox was about to list; nothing of it was queued. */
  deleteUnlisted(): void
  get(id: number): Resend | undefined
}

/** Prepares the statements on deliveries that are resent together. */
export function resends(database: Database): Resends {
  const insert = query<{ id: number }>(
    database,
    `INSERT INTO resends (organization_id, after, total, queued, is_listed) VALUES (?, ?, ?, ?, ?) RETURNING id`,
  )
  const add = command(
    database,
    'INSERT INTO resend_batches (resend_id, is_retry, deliveries) VALUES (?, ?, ?)',
  )
  const listed = command(database, 'UPDATE resends SET is_listed = 1 WHERE id = ?')
  const next = query<{ number: number; resend_id: number; is_retry: number; deliveries: string }>(
    database,
    `SELECT * FROM resend_batches WHERE resend_id =
       (SELECT id FROM resends WHERE is_listed = 1
          AND EXISTS (SELECT 1 FROM resend_batches WHERE resend_id = resends.id) ORDER BY id LIMIT 1)
     ORDER BY number LIMIT 1`,
  )
  const remove = command(database, 'DELETE FROM resend_batches WHERE number = ?')
  // The resends before it created more deliveries while it waited.
  const start = command(database, 'UPDATE resends SET after = ? WHERE id = ? AND queued = 0')
  const count = command(database, 'UPDATE resends SET queued = queued + ? WHERE id = ?')
  const get = query<{ organization_id: string; after: number; total: number; queued: number; open: number }>(
    database,
    `SELECT *, EXISTS (SELECT 1 FROM resend_batches WHERE resend_id = resends.id) AS open
     FROM resends WHERE id = ?`,
  )

  return {
    insert: ({ organizationId, after, total, queued, isListed }) =>
      insert.get(organizationId, after, total, queued, isListed ? 1 : 0)?.id ?? 0,
    add: (id, { deliveries, isRetry }) => void add(id, isRetry ? 1 : 0, deliveries.join(' ')),
    listed: (id) => void listed(id),
    nextBatch: (last) => {
      const row = next.get()
      if (row === undefined) return undefined
      const { number, resend_id: resendId, is_retry: isRetry, deliveries } = row
      start(last, resendId)
      return { number, resendId, isRetry: isRetry === 1, deliveries: deliveries.split(' ') }
    },
    endBatch: ({ number, resendId }, queued) => {
      remove(number)
      if (queued > 0) count(queued, resendId)
    },
    deleteUnlisted: () =>
      database.exec(`DELETE FROM resend_batches WHERE resend_id IN (SELECT id FROM resends WHERE is_listed = 0);
        DELETE FROM resends WHERE is_listed = 0`),
    get: (id) => {
      const row = get.get(id)
      if (row === undefined) return undefined
      const { organization_id: organizationId, after, total, queued, open } = row
      return { organizationId, after, total: open === 1 ? total : queued, isDone: open === 0 }
    },
  }
}
