// Measures how fast the pages of the sandbox's dashboard are with many payments: npm run bench:console -- [payments]
// It fails if a page takes 100 ms or more, or a search 200 ms or more (95th percentile, in CPU time of this process).
import { join } from 'node:path'
import { serialize } from '../../fixtures/generate.ts'
import { eventBody } from '../../sandbox/domain/event-body.ts'
import { createSandbox } from '../../sandbox/index.ts'
import type { Payment } from '../../sandbox/model.ts'
import { openStore } from '../../sandbox/store/store.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'

const PAYMENTS = Number(process.argv[2] ?? 50_000)
const TIMES = 20
const LIMIT_MS = { page: 100, search: 200 }

await withTemporaryFolder(async (folder) => {
  const file = join(folder, 'sandbox.sqlite')
  // Creates the organizations and their keys.
  await (await createSandbox({ file })).close()
  const { endpointId, event, payment } = await fill(file)
  const sandbox = await createSandbox({ file })
  try {
    const base = `${sandbox.url}/dashboard/tea-house`
    const pages: [keyof typeof LIMIT_MS, string][] = [
      ['page', ''],
      ['page', '/payments'],
      ['page', '/payments?sort=highest'],
      ['page', '/payments?status=failed'],
      ['page', `/payments/${payment}`],
      ['page', '/events'],
      ['page', '/events?state=failed'],
      ['page', '/events?state=failing'],
      ['page', `/events/${event}`],
      ['page', '/endpoints'],
      ['page', `/endpoints/${endpointId}`],
      ['page', `/endpoints/${endpointId}?state=failed`],
      ['page', '/catalog/payment.completed'],
      ['page', '/log'],
      ['search', '/payments?q=SO-49'],
      ['search', '/payments?q=nothing'],
      ['search', '/events?q=SO-49'],
      ['search', '/events?q=nothing'],
      ['search', `/events?endpoint=${endpointId}`],
    ]
    for (const [kind, path] of pages) {
      const { p95, bytes } = await measure(base + path)
      const isSlow = p95 >= LIMIT_MS[kind]
      if (isSlow) process.exitCode = 1
      process.stdout.write(
        (path || '/').padEnd(40) +
          `${p95.toFixed(1).padStart(8)} ms ${bytes} bytes${isSlow ? ' TOO SLOW' : ''}\n`,
      )
    }
  } finally {
    await sandbox.close()
  }
})

/** The 95th percentile of the CPU time of a request, so that other programs do not change it. */
async function measure(url: string): Promise<{ p95: number; bytes: number }> {
  const times: number[] = []
  let bytes = 0
  for (let time = 0; time < TIMES; time += 1) {
    const before = process.cpuUsage()
    const response = await fetch(url)
    bytes = (await response.text()).length
    const { user, system } = process.cpuUsage(before)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    times.push((user + system) / 1000)
  }
  return { p95: times.toSorted((a, b) => a - b)[Math.ceil(TIMES * 0.95) - 1] ?? 0, bytes }
}

/** Writes payments with an event and a delivery each; some deliveries failed, some are failing. */
async function fill(file: string): Promise<{ endpointId: string; event: string; payment: string }> {
  const store = await openStore(file)
  const [organization] = store.organizations.list()
  if (organization === undefined) throw new Error('the sandbox has no organization')
  const owned = { organizationId: organization.id, createdAt: 0 }
  const url = 'https://shop.example/webhooks'
  const endpointId = 'we_measured'
  const secret = 'whsec_measured'
  const events = ['payment.completed', 'payment.failed'] as const
  store.endpoints.insert({
    ...owned,
    id: endpointId,
    url,
    secret,
    events: [...events],
    mode: 'test',
    description: null,
  })
  const attempt = store.database.prepare(
    `INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status, request_headers)
     VALUES (?, 1, ?, ?, ?, '{}')`,
  )
  const settle = store.database.prepare(
    'UPDATE deliveries SET state = ?, attempts = 1, next_attempt_at = 4e12 WHERE id = ?',
  )
  const start = Date.now() - PAYMENTS * 1000
  store.transaction(() => {
    for (let number = 0; number < PAYMENTS; number += 1) {
      const createdAt = start + number * 1000
      const isFailed = number % 10 === 0
      const payment: Payment = {
        ...owned,
        id: `tx_measured${number}`,
        parentId: null,
        mode: 'test',
        status: isFailed ? 'failed' : 'completed',
        amount: `${number % 977}.50`,
        amountReceived: null,
        currency: 'USD',
        method: 'card',
        returnUrl: null,
        webhookUrl: null,
        metadata: { order: `SO-${number}`, customer: `customer ${number % 1000}` },
        settledVia: null,
        failureCode: isFailed ? 'card_declined' : null,
        failureReason: isFailed ? 'Declined' : null,
        refundType: null,
        createdAt,
        updatedAt: createdAt,
        windowEndsAt: null,
      }
      const name = isFailed ? 'payment.failed' : 'payment.completed'
      const [eventId, id] = [`evt_measured${number}`, `dlv_measured${number}`]
      const body = serialize(eventBody(payment, { name, simulated: false, at: createdAt }))
      store.payments.insert(payment)
      store.events.insert({
        ...owned,
        id: eventId,
        paymentId: payment.id,
        name,
        mode: 'test',
        body,
        createdAt,
      })
      const more = { cause: 'event', body: null, chaos: null, nextAttemptAt: createdAt, createdAt } as const
      store.deliveries.insert({ ...owned, ...more, id, eventId, endpointId, url })
      const state = number % 50 === 0 ? 'failed' : number % 50 === 1 ? 'pending' : 'delivered'
      settle.run(state, id)
      attempt.run(id, createdAt, number % 300, state === 'delivered' ? 200 : 500)
    }
  })
  store.close()
  return { endpointId, event: `evt_measured${PAYMENTS - 1}`, payment: `tx_measured${PAYMENTS - 1}` }
}
