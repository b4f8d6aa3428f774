// Measures one verifier with one body size and prints the CPU time per verification in microseconds, including garbage
// collection. Each verifier gets a separate process, so that none collects the garbage of another.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { createGenerator, serialize } from '../../fixtures/index.ts'
import { SECRET } from './pinned.ts'

const [, , name = '', size = '600'] = process.argv
const { createVerifier, readDelivery } = await import('@hookproof/receiver')

const event = createGenerator('bench').event('completed', { metadata: {} })
const padding = Number(size) - serialize(event).length - '"note":""'.length
const body = serialize({ ...event, metadata: { note: 'x'.repeat(padding) } })
const t = Math.floor(Date.now() / 1000)
const key = createSecretKey(SECRET, 'utf8')
const hmac = () => createHmac('sha256', key).update(`${t}.`).update(body).digest()
const signature = hmac()
const header = `t=${t},v1=${signature.toString('hex')}`

const check = createVerifier({ secrets: SECRET })
const received = { signature: [header], body }

async function stripe(): Promise<() => unknown> {
  const { Stripe } = await import('stripe')
  const { webhooks } = new Stripe('sk_test_bench')
  return () => webhooks.constructEvent(body, header, SECRET)
}

async function standardwebhooks(): Promise<() => unknown> {
  const { Webhook } = await import('standardwebhooks')
  const standard = new Webhook(SECRET)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(t),
    'webhook-signature': standard.sign('msg_1', new Date(t * 1000), body.toString()),
  }
  return () => standard.verify(body, headers)
}

const verifiers: Readonly<Record<string, () => (() => unknown) | Promise<() => unknown>>> = {
  hmac: () => () => timingSafeEqual(hmac(), signature),
  'hmac and JSON.parse': () => () => [timingSafeEqual(hmac(), signature), JSON.parse(body.toString())],
  check: () => () => check(body, header),
  verify: () => () => readDelivery(check, received),
  stripe,
  standardwebhooks,
}
const create = verifiers[name]
if (create === undefined) throw new Error(`bench: unknown verifier "${name}"`)
const run = await create()

// Read after the measurement, so that the calls are not optimized away.
let result: unknown
function measure(ms: number): number {
  const end = performance.now() + ms
  const before = process.cpuUsage()
  let count = 0
  for (; performance.now() < end; count += 200) for (let at = 0; at < 200; at += 1) result = run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
measure(200)
const microseconds = measure(300)
if (result === undefined || result === false) throw new Error(`bench: ${name} did not verify`)
console.log(microseconds)
