// Verifies deliveries with @mux/mux-node.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Mux from '@mux/mux-node'

const { PORT, WEBHOOK_SECRET } = process.env
const { webhooks } = new Mux({ tokenId: 'unused', tokenSecret: 'unused' })

async function answer(request, response) {
  const body = await text(request) // The library takes a string only.
  try {
    const headers = { 'mux-signature': request.headers['x-service-signature'] ?? '' }
    await webhooks.verifySignature(body, headers, WEBHOOK_SECRET)
    JSON.parse(body)
    response.statusCode = 200
  } catch (error) {
    response.statusCode = /matching the expected signature/.test(error.message) ? 401 : 400
  }
  response.end()
}

createServer((request, response) => void answer(request, response)).listen(PORT)
