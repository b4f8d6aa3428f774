// Verifies deliveries of Stripe with stripe for Node.js, as its documentation shows for Express.
import express from 'express'
import { Stripe } from 'stripe'

const { PORT, WEBHOOK_SECRET } = process.env
const { webhooks } = new Stripe('sk_test_unused')
const app = express()

app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  try {
    webhooks.constructEvent(request.body, request.headers['stripe-signature'], WEBHOOK_SECRET)
  } catch (error) {
    response.status(400).send(`Webhook Error: ${error.message}`)
    return
  }
  response.json({ received: true })
})

app.listen(PORT, '127.0.0.1')
