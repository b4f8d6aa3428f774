// Verifies deliveries of Standard Webhooks with @clerk/backend.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@clerk/backend/webhooks'

const { PORT, WEBHOOK_SECRET: signingSecret } = process.env

async function answer(incoming, response) {
  const body = await buffer(incoming)
  try {
    // Clerk names these headers svix-*, and the library reads no others.
    const headers = ['id', 'timestamp', 'signature'].flatMap((name) => {
      const value = incoming.headers[`webhook-${name}`]
      return value === undefined ? [] : [[`svix-${name}`, value]]
    })
    const request = new Request('http://localhost/webhooks', { method: 'POST', headers, body })
    await verifyWebhook(request, { signingSecret })
    response.statusCode = 200
  } catch {
    response.statusCode = 400
  }
  response.end()
}

createServer((request, response) => void answer(request, response)).listen(PORT, '127.0.0.1')
