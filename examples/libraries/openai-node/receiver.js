// Verifies deliveries of Standard Webhooks with openai for Node.js, as its documentation shows for a web Request.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import OpenAI from 'openai'

const { PORT, WEBHOOK_SECRET: webhookSecret } = process.env
const client = new OpenAI({ apiKey: 'unused', webhookSecret })
const app = new Hono()

app.post('/webhooks', async (context) => {
  const body = await context.req.text()
  try {
    await client.webhooks.unwrap(body, context.req.raw.headers)
  } catch {
    return context.text('Invalid signature', 400)
  }
  return context.json({ message: 'ok' })
})

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' })
