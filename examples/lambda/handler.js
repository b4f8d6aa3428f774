// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
// `handler` serves a function URL. `work` gets what it stored from the stream of the DynamoDB table TABLE, which has the
// partition key `payment` and the sort key `event`, both strings. Let the stream retry a record until it succeeds.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'

const secret = process.env.HOOKPROOF_SECRET ?? process.env.WEBHOOK_SECRET
if (!secret) throw new Error('HOOKPROOF_SECRET is not set')
const { TABLE: TableName, OBSERVE } = process.env
const WINDOW_SECONDS = 300
const MAX_BODY_BYTES = 1024 * 1024
const MONEY = /^(?=.*[1-9])\d+(\.\d+)?$/ // Any other amount is an anomaly for people to look at.
const textOf = (value) => (typeof value === 'string' ? value : typeof value) // String() fails for {"toString":1}.
const EFFECTS = '#effects' // The sort key of what was done for a payment.
const database = DynamoDBDocumentClient.from(new DynamoDBClient())

/** Why a delivery is refused: a response; undefined if its header signs these bytes. */
function refusalOf(header, body) {
  const entries = header.split(',')
  const valuesOf = (key) => entries.filter((e) => e.startsWith(key)).map((e) => e.slice(key.length))
  const time = valuesOf('t=').join()
  const signatures = valuesOf('v1=') // More than one while a secret is rotated.
  if (!/^\d{1,12}$/.test(time) || !signatures.join('')) return respond(400, 'the header needs one t and a v1')
  const age = Math.floor(Date.now() / 1000) - Number(time)
  if (Math.abs(age) > WINDOW_SECONDS) return respond(400, 't is more than 5 minutes from now')
  const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'))
  const isExpected = (v1) => v1.length === 64 && timingSafeEqual(Buffer.from(v1, 'latin1'), expected)
  return signatures.some(isExpected) ? undefined : respond(401, 'the signature is wrong')
}
const respond = (statusCode, error) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(error ? { error } : { received: true }),
})

/** What is stored of an event. Its redeliveries have the same two keys, whatever their bytes. */
function readEvent(body) {
  const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  const name = event.event ?? (event.test === true ? `payment.${event.status}` : undefined)
  const id = event.payment_id ?? event.id
  if (!name || !id || typeof name !== 'string' || typeof id !== 'string') throw new Error('not an event')
  // One payment can be partly paid several times, and both refunded and charged back.
  const variant = { 'payment.partial': event.amount_received, 'payment.refunded': event.type }[name]
  const livemode = (event.livemode === undefined || event.livemode === true) && event.test !== true
  const [amount, currency] = [textOf(event.amount), textOf(event.currency)]
  const completed = MONEY.test(amount) ? 'fulfilled' : 'anomaly'
  const effects = { __proto__: null, 'payment.completed': completed, 'payment.refunded': 'reversed' }
  const line = { event: name, effect: effects[name] ?? 'none', amount, currency, livemode }
  return { payment: keyOf(id, livemode), event: JSON.stringify([name, variant]), line }
}
const keyOf = (id, livemode) => JSON.stringify([id, livemode])

async function webhooks({ headers, body: text = '', isBase64Encoded }) {
  // AWS encodes a body that it does not take for text.
  const body = Buffer.from(text, isBase64Encoded ? 'base64' : 'utf8')
  if (body.length > MAX_BODY_BYTES) return respond(413, 'the body is larger than 1 MiB')
  const refusal = refusalOf(headers['x-service-signature'] ?? '', body)
  if (refusal) return refusal
  let Item
  try {
    Item = readEvent(body)
  } catch {
    return respond(400, 'the body is not an event')
  }
  try {
    await database.send(
      new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(payment)' }),
    )
  } catch (error) {
    if (error.name !== 'ConditionalCheckFailedException') {
      console.error(error.message)
      return respond(503, 'try again later')
    }
  }
  return respond(200)
}

/** Does the work of the stored events. The stream may deliver them more than once. */
export async function work({ Records }) {
  const added = Records.filter(({ eventName }) => eventName === 'INSERT')
  for (const { payment, line } of added.map(({ dynamodb }) => unmarshall(dynamodb.NewImage))) {
    if (!line || line.effect === 'none') continue
    // Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
    const unlessDone = line.effect === 'reversed' ? '' : ' AND attribute_not_exists(fulfilled)'
    const update = new UpdateCommand({
      TableName,
      Key: { payment, event: EFFECTS },
      UpdateExpression: `SET ${line.effect} = :line`,
      ConditionExpression: `attribute_not_exists(reversed)${unlessDone}`,
      ExpressionAttributeValues: { ':line': line },
    })
    await database.send(update).catch((error) => {
      if (error.name !== 'ConditionalCheckFailedException') throw error
    })
  }
}

async function observe({ queryStringParameters: { payment_id: id } }) {
  const lines = [true, false].map(async (livemode) => {
    const Key = { payment: keyOf(id, livemode), event: EFFECTS }
    const { Item = {} } = await database.send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    return [Item.fulfilled, Item.reversed].filter(Boolean)
  })
  return { statusCode: 200, body: JSON.stringify({ effects: (await Promise.all(lines)).flat() }) }
}

export async function handler(event) {
  const { method, path } = event.requestContext.http
  if (path === '/webhooks' && method === 'POST') return webhooks(event)
  if (path === '/observe' && OBSERVE === '1') return observe(event)
  return respond(404, 'not found')
}
