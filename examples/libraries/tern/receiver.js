// Verifies deliveries with @hookflo/tern, as those of the platform stripe.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { WebhookVerificationService } from '@hookflo/tern'

const { PORT, WEBHOOK_SECRET: secret } = process.env

async function answer(request, response) {
  const body = await buffer(request)
  const headers = { 'stripe-signature': request.headers['x-service-signature'] ?? '' }
  let status = 400
  try {
    const received = new Request('http://localhost/webhooks', { method: 'POST', headers, body })
    const options = { platform: 'stripe', secret, toleranceInSeconds: 300 }
    const { isValid, errorCode } = await WebhookVerificationService.verify(received, options)
    status = isValid ? 200 : errorCode === 'INVALID_SIGNATURE' ? 401 : 400
  } catch {
    // The Request refuses a header with other bytes than ASCII.
  }
  response.writeHead(status).end()
}

createServer((request, response) => void answer(request, response)).listen(PORT)
