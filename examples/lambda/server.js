// Stands in for AWS: a function URL in front of handler.js, and a DynamoDB table with a stream, kept in a folder.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import {
  CreateTableCommand,
  DynamoDBClient,
  paginateScan,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import dynalite from 'dynalite'

const { PORT = 3000, DATABASE = './database' } = process.env
const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024
const RETRY_MS = 1000
mkdirSync(DATABASE, { recursive: true })

// DynamoDB. What is put into the table goes to the stream.
const dynamo = dynalite({ path: DATABASE, createTableMs: 0 })
const database = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  response.on('finish', () => {
    const isPut = request.headers['x-amz-target']?.endsWith('.PutItem') && response.statusCode === 200
    if (isPut) void deliver(JSON.parse(Buffer.concat(chunks).toString()).Item)
  })
  dynamo.emit('request', request, response)
})
await new Promise((resolve) => database.listen(0, '127.0.0.1', resolve))
Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${database.address().port}`,
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  TABLE: 'webhooks',
})
const { handler, work } = await import('./handler.js')

/** Invokes `work` until it succeeds, as a stream does. */
async function deliver(NewImage) {
  try {
    await work({ Records: [{ eventName: 'INSERT', dynamodb: { NewImage } }] })
  } catch (error) {
    console.error(error.message)
    setTimeout(() => void deliver(NewImage), RETRY_MS)
  }
}

const client = new DynamoDBClient()
const names = ['payment', 'event']
await client
  .send(
    new CreateTableCommand({
      TableName: process.env.TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: names.map((name, i) => ({ AttributeName: name, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
    }),
  )
  .catch((error) => {
    if (error.name !== 'ResourceInUseException') throw error
  })
await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 10 }, { TableName: process.env.TABLE })
// A stream remembers how far it came; this one starts from the beginning.
for await (const { Items } of paginateScan({ client }, { TableName: process.env.TABLE })) {
  await Promise.all(Items.map(deliver))
}

// The function URL: https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
const isText = (type) => /^(text\/|application\/(json|javascript|xml))/i.test(type)
async function serve(request, response) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_PAYLOAD_BYTES) return response.writeHead(413, { connection: 'close' }).end()
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString()
  const isBase64Encoded = !isText(request.headers['content-type'] ?? '') || !Buffer.from(text).equals(bytes)
  const [path, query] = request.url.split('?', 2)
  const { statusCode, headers, body } = await handler({
    version: '2.0',
    rawPath: path,
    rawQueryString: query ?? '',
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
    requestContext: { http: { method: request.method, path } },
    ...(size > 0 && { body: isBase64Encoded ? bytes.toString('base64') : text }),
    isBase64Encoded,
  })
  return response.writeHead(statusCode, headers).end(body)
}
// A sender that went away gets no answer; any other error is one of the handler.
const fail = (response, error) => {
  if (error.code !== 'ECONNRESET') console.error(error)
  if (!response.headersSent) response.writeHead(502).end()
}
createServer((request, response) => {
  serve(request, response).catch((error) => fail(response, error))
}).listen(PORT)
