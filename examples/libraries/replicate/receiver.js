// Verifies deliveries of Standard Webhooks with replicate, as its documentation shows for a web Request.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { validateWebhook } from 'replicate'

const { PORT, WEBHOOK_SECRET } = process.env
const app = new Hono()

app.post('/webhooks', async (context) => {
  const isValid = await validateWebhook(context.req.raw.clone(), WEBHOOK_SECRET)
  if (!isValid) return context.json({ detail: 'Webhook is invalid' }, 401)
  return context.json({ detail: 'Webhook is valid' })
})

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })
