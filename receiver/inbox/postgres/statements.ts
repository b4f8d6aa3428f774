import { selectDepth } from '../rows.ts'
import { DURABLE } from './durable.ts'

/** The SQL of the inbox in a schema; each comment lists the parameters. */
export function statementsIn(schema: string) {
  const inbox = `${schema}.inbox`
  return {
    /** key_hash, key, payment_id, event, body, signed_at, received_at: a list of each. It returns the keys that were new. */
    accept: `
      INSERT INTO ${inbox} (key_hash, key, payment_id, event, body, signed_at, received_at)
      SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::bigint[])
      WHERE ${DURABLE} ON CONFLICT (key_hash) DO NOTHING RETURNING key`,
    /**
     * now, limit, the receiver. Skips what another receiver is claiming. If Postgres crashes and forgets the claim, nothing is
     * lost, so the commit does not wait for the disk.
     */
    claim: `
      WITH due AS (
        SELECT id FROM ${inbox} WHERE state = 'pending' AND due_at <= $1
        ORDER BY due_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
      )
      UPDATE ${inbox} e SET state = 'processing', attempts = attempts + 1, receiver = $3, started_at = now()
      FROM due WHERE e.id = due.id AND (SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL
      RETURNING e.*`,
    /** id, attempts, state, due_at, last_error: ends an attempt if it is the current one. */
    settle: `
      UPDATE ${inbox} SET state = $3, due_at = $4, last_error = $5
      WHERE id = $1 AND state = 'processing' AND attempts = $2 AND ${DURABLE}`,
    /**
     * seconds, a receiver or null, the maximum number of attempts, last_error: ends the attempts that started longer ago, and
     * all of that receiver. Skips those that are ending. It returns the entries.
     */
    requeue: `
      UPDATE ${inbox} SET
        state = CASE WHEN attempts < $3 THEN 'pending' ELSE 'dead' END,
        due_at = CASE WHEN attempts < $3 THEN due_at ELSE 0 END,
        last_error = CASE WHEN attempts < $3 THEN last_error ELSE $4 END
      WHERE ${DURABLE} AND id IN (
        SELECT id FROM ${inbox} WHERE state = 'processing'
          AND (started_at < now() - $1 * interval '1 second' OR receiver = $2) FOR UPDATE SKIP LOCKED
      ) RETURNING *`,
    /**
     * the longest delay in milliseconds: makes retries due that were scheduled by a clock that was ahead, which are those that
     * have waited for that long and would wait for that long again. Measured by the clock of the database, because receivers with
     * different clocks would otherwise shorten each other's delays.
     */
    releaseDelayed: `
      UPDATE ${inbox} SET due_at = 0 WHERE state = 'pending'
        AND due_at > extract(epoch FROM now()) * 1000 + $1::float8
        AND started_at < now() - $1::float8 * interval '1 millisecond'`,
    /** id */
    get: `SELECT * FROM ${inbox} WHERE id = $1`,
    /** state, limit */
    list: `SELECT * FROM ${inbox} WHERE state = $1 ORDER BY id LIMIT $2`,
    /** id */
    retry: `
      UPDATE ${inbox} SET state = 'pending', attempts = 0, due_at = 0 WHERE id = $1 AND state = 'dead' AND ${DURABLE}`,
    /** received_at, limit. Skips rows that another receiver is deleting. */
    purge: `
      DELETE FROM ${inbox} WHERE id IN (
        SELECT id FROM ${inbox} WHERE state = 'done' AND received_at < $1
        ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
      )`,
    depth: selectDepth(inbox),
    /**
     * Commits a write that changes nothing and waits for the disk. It needs the locks and the privileges that storing and
     * handling an event need.
     */
    check: `
      WITH inserted AS (INSERT INTO ${inbox} (key) SELECT '' WHERE false),
        updated AS (UPDATE ${inbox} SET state = state WHERE false),
        deleted AS (DELETE FROM ${inbox} WHERE false)
      UPDATE ${schema}.format SET version = version WHERE ${DURABLE}`,
  }
}
