// Verifies deliveries of Standard Webhooks with @clerk/backend.
import { verifyWebhook } from '@clerk/backend/webhooks'
import express from 'express'

const { PORT, WEBHOOK_SECRET: signingSecret } = process.env
const app = express()

async function answer({ body, headers }, response) {
  const request = new Request('http://localhost/webhooks', { method: 'POST', headers: { ...headers }, body })
  try {
    await verifyWebhook(request, { signingSecret })
    response.send('Webhook received')
  } catch {
    response.status(400).send('Error verifying webhook')
  }
}

app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) =>
  answer(request, response),
)

app.listen(PORT, '127.0.0.1')
