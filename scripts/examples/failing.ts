import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { createGenerator } from '../../fixtures/index.ts'
import type { ServiceEvent } from '../../schemas/types.ts'
import { deliver } from './deliver.ts'
import type { Example } from './example.ts'
import { type Setting, whileRunning } from './running.ts'

/** How long an example tries to handle an event while its database fails, in milliseconds. */
const FAILING_MS = 700
const HANDLED_WITHIN_MS = 10_000
const POLL_MS = 50

/**
 * Lets the database of an example fail for a while: it still stores events, and no work on them can be marked as done.
 * Afterwards, the example must handle the next event without a restart.
 * @returns what is not as it should be, one line each
 * @throws Error if it does not start, or a delivery is not acknowledged
 */
export async function faultsAfterFailing(
  example: Pick<Example, 'start' | 'folder'>,
  setting: Setting,
): Promise<string[]> {
  const path = setting.env['DATABASE'] ?? ''
  const generator = createGenerator(`failing ${Date.now()}`)
  return whileRunning(example, setting, async () => {
    const pay = async () => {
      const event = generator.event('completed')
      await deliver(setting.url, setting.secret, event)
      return event
    }
    if (!(await isHandled(await pay(), setting))) return ['a payment was not handled']
    const restore = letUpdatesFail(path)
    const during = await pay()
    await pause(FAILING_MS)
    const isUnharmed = (await effectsOf(during, setting)) > 0
    restore()
    if (isUnharmed) return ['a payment was handled although no update of the database succeeds']
    if (await isHandled(await pay(), setting)) return []
    return ['an error of the database ended the work: the payments that follow it wait until a restart']
  })
}

/** Lets each update of the database fail. @returns what ends that */
function letUpdatesFail(path: string): () => void {
  const run = (statements: (table: string) => string) => {
    const database = new DatabaseSync(path, { timeout: HANDLED_WITHIN_MS })
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
    for (const { name } of tables as { name: string }[]) {
      if (!name.startsWith('sqlite_')) database.exec(statements(name))
    }
    database.close()
  }
  run(
    (table) =>
      `CREATE TRIGGER "fail_${table}" BEFORE UPDATE ON "${table}" BEGIN SELECT RAISE(ABORT, 'the disk fails'); END`,
  )
  return () => run((table) => `DROP TRIGGER "fail_${table}"`)
}

async function isHandled(event: ServiceEvent, setting: Setting): Promise<boolean> {
  const deadline = performance.now() + HANDLED_WITHIN_MS
  while ((await effectsOf(event, setting)) === 0) {
    if (performance.now() > deadline) return false
    await pause(POLL_MS)
  }
  return true
}

async function effectsOf({ id }: ServiceEvent, { observe }: Setting): Promise<number> {
  const response = await fetch(`${observe}?payment_id=${encodeURIComponent(id)}`)
  const { effects } = (await response.json()) as { effects: readonly unknown[] }
  return effects.length
}
