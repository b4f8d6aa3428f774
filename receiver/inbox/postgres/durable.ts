/** The text in the error of a statement that was sent while `fsync` is off. */
export const FSYNC_OFF = 'fsync is off'

/**
 * A SQL expression that makes the commit of its transaction wait for the disk, whatever the setting of the server, the
 * database or the session. It applies to this transaction only, so it also works behind a proxy that shares connections. It
 * keeps `local` and `remote_write`, which wait for the disk of this server, and `remote_apply`, which waits longer. It sets
 * the value even if it is the same: otherwise a reload of the configuration between the statement and its commit would
 * apply.
 *
 * While `fsync` is off, Postgres waits for no disk. The statement then fails, because `FSYNC_OFF` is not a valid value.
 *
 * A duplicate is acknowledged without a write of its own. Its original is on disk by then: a transaction becomes visible
 * to others only after it has waited for the disk, and ON CONFLICT waits until a transaction that is storing the same
 * event has ended.
 */
export const WAIT_FOR_DISK = `set_config('synchronous_commit', CASE
  WHEN current_setting('fsync') = 'off' THEN '${FSYNC_OFF}'
  WHEN current_setting('synchronous_commit') = 'off' THEN 'on'
  ELSE current_setting('synchronous_commit')
END, true)`

/** The same as a condition, which is always true. It is evaluated once, before the rows of its statement. */
export const DURABLE = `(SELECT ${WAIT_FOR_DISK}) IS NOT NULL`
