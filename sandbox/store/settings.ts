import { command, query } from './rows.ts'
import type { Database } from './sqlite.ts'

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
