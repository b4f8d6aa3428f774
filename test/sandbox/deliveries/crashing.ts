// A process for crash.test.ts to kill: it adds events to a file and delivers them.
import { startDeliveries } from '../../../sandbox/deliveries/index.ts'
import { parseRoute } from '../../../sandbox/deliveries/routes.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { enqueue, fill } from './fill.ts'

const [path = '', port = '', events = ''] = process.argv.slice(2)
const store = await openStore(path)
if (store.organizations.list().length === 0) fill(store)
const clock = { now: Date.now, wall: Date.now }
const routes = [parseRoute(`https://shop.example/=http://127.0.0.1:${port}/`)]
const deliveries = startDeliveries({ store, clock, routes, schedule: Array.from({ length: 50 }, () => 20) })
for (let emitted = 0; emitted < Number(events); emitted += 1) {
  const { eventId } = enqueue(store)
  deliveries.wake()
  // The test expects only printed events: others may not be committed.
  process.stdout.write(`${eventId}\n`)
  await new Promise((resolve) => setTimeout(resolve, 1))
}
const undelivered = store.database.prepare(
  "SELECT count(*) AS count FROM deliveries WHERE state <> 'delivered'",
)
const isPending = () => (undelivered.get() as { count: number }).count > 0
while (isPending()) await new Promise((resolve) => setTimeout(resolve, 5))
process.stdout.write('done\n')
