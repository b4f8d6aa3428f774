// Verifies deliveries of Standard Webhooks with standardwebhooks.
import express from 'express'
import { Webhook } from 'standardwebhooks'

const { PORT, WEBHOOK_SECRET } = process.env
const webhook = new Webhook(WEBHOOK_SECRET)
const app = express()

app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  try {
    webhook.verify(request.body, request.headers)
  } catch {
    response.status(400).json({})
    return
  }
  response.json({})
})

app.listen(PORT, '127.0.0.1')
