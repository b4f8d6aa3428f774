// A receiver for the runtimes with processes, with GET /observe.
import { createOrders, memoryInbox, memoryLedger, startProcessing } from '@hookproof/receiver'
import { fetchHandler } from '@hookproof/receiver/fetch'

const inbox = memoryInbox()
const orders = createOrders({ ledger: memoryLedger() })
const processing = startProcessing({ inbox, ...orders })
const webhooks = fetchHandler({
  secrets: process.env.WEBHOOK_SECRET,
  inbox,
  onOutcome: () => processing.wake(),
})

export async function handle(request) {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/webhooks') return webhooks(request)
  return Response.json(await orders.observe(searchParams.get('payment_id')))
}
