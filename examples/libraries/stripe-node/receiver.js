// Verifies deliveries with stripe for Node.js.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Stripe } from 'stripe'

const { PORT, WEBHOOK_SECRET } = process.env
const { webhooks } = new Stripe('sk_test_unused')

async function answer(request, response) {
  const body = await buffer(request)
  try {
    webhooks.constructEvent(body, request.headers['x-service-signature'] ?? '', WEBHOOK_SECRET)
    response.statusCode = 200
  } catch (error) {
    response.statusCode = /matching the expected signature/.test(error.message) ? 401 : 400
  }
  response.end()
}

createServer((request, response) => void answer(request, response)).listen(PORT)
