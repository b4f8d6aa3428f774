import { expect, it } from 'vitest'
import { recipients } from '../../../sandbox/store/health.ts'
import { enqueue } from '../deliveries/fill.ts'
import { storeWith } from '../deliveries/support.ts'

it('counts all deliveries of a recipient, however many there are', async () => {
  const store = await storeWith()
  store.transaction(() => {
    for (let made = 0; made < 1100; made += 1) enqueue(store)
    enqueue(store, { url: 'https://other.example/' })
  })
  expect(recipients(store.database)('org_one')).toMatchObject([
    { url: 'https://other.example/', pending: 1, failing: 0, delivered: 0 },
    { url: 'https://shop.example/hooks', pending: 1100, failed: 0, paused: 0, last: null },
  ])
})
