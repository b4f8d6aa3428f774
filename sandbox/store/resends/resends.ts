import type { Delivery } from '../../model.ts'
import { command, query } from '../rows.ts'
import type { Database } from '../sqlite.ts'
import type { Resendable } from './resendable.ts'

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

/** A part of the deliveries that are still to be queued. */
export interface ResendBatch {
  readonly number: number
  readonly resendId: number
  readonly deliveries: readonly Delivery['id'][]
  /** Whether they only wait for their next attempt, which is to be made now. */
  readonly isRetry: boolean
}

/** What is resent together, stored so that a killed sandbox goes on at its next start. */
export interface Resends {
  /** @param resend queued: how many new deliveries it has created @returns its id */
  insert(resend: Pick<Resend, 'organizationId' | 'after' | 'total'> & { queued: number }): number
  /** Stores which deliveries it resends, in batches of a size. */
  list(resendId: number, deliveries: Resendable, size: number): void
  /** The oldest batch of all. @param last the number of the last delivery */
  nextBatch(last: number): ResendBatch | undefined
  /** Removes a batch. @param queued how many new deliveries it created */
  endBatch(batch: ResendBatch, queued: number): void
  get(id: number): Resend | undefined
}

/** Prepares the statements on deliveries that are resent together. */
export function resends(database: Database): Resends {
  const insert = query<{ id: number }>(
    database,
    'INSERT INTO resends (organization_id, after, total, queued) VALUES (?, ?, ?, ?) RETURNING id',
  )
  const add = command(
    database,
    'INSERT INTO resend_batches (resend_id, is_retry, deliveries) VALUES (?, ?, ?)',
  )
  const next = query<{ number: number; resend_id: number; is_retry: number; deliveries: string }>(
    database,
    'SELECT * FROM resend_batches ORDER BY number LIMIT 1',
  )
  const remove = command(database, 'DELETE FROM resend_batches WHERE number = ?')
  // Those before it created more deliveries while it waited.
  const start = command(database, 'UPDATE resends SET after = ? WHERE id = ? AND queued = 0')
  const count = command(database, 'UPDATE resends SET queued = queued + ? WHERE id = ?')
  const get = query<{ organization_id: string; after: number; total: number; queued: number; open: number }>(
    database,
    `SELECT *, EXISTS (SELECT 1 FROM resend_batches WHERE resend_id = resends.id) AS open
     FROM resends WHERE id = ?`,
  )

  function addAll(resendId: number, ids: readonly string[], { isRetry, size }: Cut): void {
    for (let from = 0; from < ids.length; from += size) {
      add(resendId, isRetry ? 1 : 0, ids.slice(from, from + size).join(' '))
    }
  }

  return {
    insert: ({ organizationId, after, total, queued }) =>
      insert.get(organizationId, after, total, queued)?.id ?? 0,
    list: (id, { failed, failing }, size) => {
      addAll(id, failing, { isRetry: true, size })
      addAll(id, failed, { isRetry: false, size })
    },
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
    get: (id) => {
      const row = get.get(id)
      if (row === undefined) return undefined
      const { organization_id: organizationId, after, total, queued, open } = row
      return { organizationId, after, total: open === 1 ? total : queued, isDone: open === 0 }
    },
  }
}

interface Cut {
  readonly isRetry: boolean
  readonly size: number
}
