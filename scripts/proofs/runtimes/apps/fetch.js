// A receiver for the runtimes with processes, with GET /observe.
import { createOrders, startProcessing } from '@hookproof/receiver'
import { fetchHandler } from '@hookproof/receiver/fetch'
import { sqliteInbox, sqliteLedger } from '@hookproof/receiver/sqlite'

const inbox = await sqliteInbox({ path: './webhooks.sqlite' })
const orders = createOrders({ ledger: sqliteLedger(inbox.database) })
const processing = startProcessing({ inbox, ...orders })
const webhooks = fetchHandler({
  secrets: process.env.WEBHOOK_SECRET,
  inbox,
  onOutcome: () => processing.wake(),
})

export async function handle(request) {
  // A request may name any host.
  if (!URL.canParse(request.url)) return new Response(null, { status: 400 })
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/webhooks') return webhooks(request)
  return Response.json(await orders.observe(searchParams.get('payment_id')))
}

async function stop() {
  await processing.stop()
  await inbox.close()
  // oxlint-disable-next-line unicorn/no-process-exit -- the server would keep the process running
  process.exit()
}
process.once('SIGTERM', () => void stop())
