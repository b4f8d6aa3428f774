// Measures one verifier on one size of body: microseconds of processor time for each verification, collection of
// garbage included. A process of its own, so that none pays for the garbage of another.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { createGenerator, serialise } from '../../fixtures/index.ts'
import { built, SECRET } from './pinned.ts'

const [, , which = '', size = '600'] = process.argv
const { createSignatureCheck, createVerifier } =
  await built<typeof import('../../receiver/verify.ts')>('receiver/verify.js')

const event = createGenerator('bench').event('completed', { metadata: {} })
const padding = Number(size) - serialise(event).length - '"note":""'.length
const body = serialise({ ...event, metadata: { note: 'x'.repeat(padding) } })
const t = Math.floor(Date.now() / 1000)
const key = createSecretKey(SECRET, 'utf8')
const floor = () => createHmac('sha256', key).update(`${t}.`).update(body).digest()
const signature = floor()
const header = `t=${t},v1=${signature.toString('hex')}`

const check = createSignatureCheck({ secrets: SECRET })
const verify = createVerifier({ secrets: SECRET })

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

const subjects: Readonly<Record<string, () => (() => unknown) | Promise<() => unknown>>> = {
  floor: () => () => timingSafeEqual(floor(), signature),
  'floor and JSON.parse': () => () => [timingSafeEqual(floor(), signature), JSON.parse(body.toString())],
  check: () => () => check(body, header),
  verify: () => () => verify(body, header),
  stripe,
  standardwebhooks,
}
const make = subjects[which]
if (make === undefined) throw new Error(`bench: there is no verifier "${which}"`)
const subject = await make()

let sink: unknown
function measure(ms: number): number {
  const end = performance.now() + ms
  const before = process.cpuUsage()
  let count = 0
  for (; performance.now() < end; count += 200) for (let at = 0; at < 200; at += 1) sink = subject()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
measure(200)
const microseconds = measure(300)
if (sink === undefined || sink === false) throw new Error(`bench: ${which} did not verify`)
console.log(microseconds)
