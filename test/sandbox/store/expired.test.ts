import { expect, onTestFinished, test } from 'vitest'
import { compose } from '../../../sandbox/compose.ts'
import { createApp } from '../../../sandbox/http/app.ts'
import { listen } from '../../../sandbox/http/server.ts'
import { resolveOptions } from '../../../sandbox/options.ts'

test('trigger payment.expired changes nothing if the clock cannot be stored at its end', async () => {
  const parts = await compose(resolveOptions({}))
  const failures: unknown[] = []
  const app = createApp({ ...parts, origin: () => 'http://127.0.0.1' }, (error) => failures.push(error))
  const server = await listen(app, { host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await server.close()
    await parts.close()
  })
  const changes: string[] = []
  parts.feed.subscribe(({ kind }) => changes.push(kind))
  const trigger = async () => {
    const response = await fetch(`${server.origin}/sandbox/events`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        event: 'payment.expired',
        fields: {},
        payment: { amount: '1', currency: 'USD' },
        steps: [{ type: 'pay_part', method: 'gift_card' }],
      }),
    })
    return [response.status, await response.text()]
  }
  const count = () => parts.store.database.prepare('SELECT count(*) AS n FROM events').get()

  // The window's end is the second of three moves of the clock.
  parts.store.database.exec(`
    CREATE TABLE moves (n); INSERT INTO moves VALUES (0);
    CREATE TRIGGER breaks BEFORE UPDATE ON settings WHEN new.name = 'clock_offset_ms' AND (SELECT n FROM moves) = 1
      BEGIN SELECT raise(ABORT, 'full'); END;
    CREATE TRIGGER counts AFTER UPDATE ON settings WHEN new.name = 'clock_offset_ms' BEGIN UPDATE moves SET n = n + 1; END;
    INSERT OR REPLACE INTO settings VALUES ('clock_offset_ms', '0')`)
  expect(await trigger()).toEqual([500, expect.anything()])
  expect([failures.length, count(), parts.clock.offset(), changes]).toEqual([1, { n: 0 }, 0, []])

  parts.store.database.exec('DROP TRIGGER breaks')
  expect(await trigger()).toEqual([201, expect.anything()])
  expect(count()).toEqual({ n: 2 })
  expect(parts.clock.offset()).toBeGreaterThan(23 * 3_600_000)
  expect(changes).toContain('clock')
})
