import { expect, test } from 'vitest'
import { outbox } from '../../../sandbox/store/deliveries.ts'
import type { Database } from '../../../sandbox/store/sqlite.ts'
import { storeWith } from './support.ts'

test('no statement of the queue scans all deliveries', async () => {
  const { database } = await storeWith()
  const statements: string[] = []
  const prepare = (sql: string) => {
    statements.push(sql)
    return database.prepare(sql)
  }
  outbox({ prepare } as unknown as Database)
  expect(statements.some((sql) => sql.includes("state = 'failed'"))).toBe(true)
  const steps = statements.flatMap(
    (sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[],
  )
  const scans = steps
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (deliveries|d|attempts|a)\b/.test(detail))
  // This index contains only the relevant rows.
  expect(scans.toSorted()).toEqual(['SCAN deliveries USING INDEX deliveries_in_flight'])
})
