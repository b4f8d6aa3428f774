// Verifies deliveries of Standard Webhooks with resend for Node.js, as its documentation shows for a web Request.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { Resend } from 'resend'

const { PORT, WEBHOOK_SECRET: webhookSecret } = process.env
const resend = new Resend('unused')
const app = new Hono()

app.post('/webhooks', async ({ req, body, text }) => {
  const headers = {
    id: req.header('svix-id'),
    timestamp: req.header('svix-timestamp'),
    signature: req.header('svix-signature'),
  }
  try {
    resend.webhooks.verify({ payload: await req.text(), headers, webhookSecret })
  } catch {
    return text('Invalid webhook', 400)
  }
  return body(null, 200)
})

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })
