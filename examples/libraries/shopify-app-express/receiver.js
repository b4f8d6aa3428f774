// Verifies deliveries of Shopify with the middleware of @shopify/shopify-app-express.

import { DeliveryMethod, LogSeverity } from '@shopify/shopify-api'
import { ApiVersion, shopifyApp } from '@shopify/shopify-app-express'
import express from 'express'

const { PORT, WEBHOOK_SECRET: apiSecretKey } = process.env
const path = '/webhooks'
const shopify = shopifyApp({
  api: {
    apiKey: 'unused',
    apiSecretKey,
    apiVersion: ApiVersion.July26,
    hostName: 'localhost',
    logger: { level: LogSeverity.Error },
  },
  auth: { path: '/auth', callbackPath: '/auth/callback' },
  webhooks: { path },
})
const handler = { deliveryMethod: DeliveryMethod.Http, callbackUrl: path, callback: async () => {} }
const topics = [
  'ORDERS_CREATE',
  'ORDERS_PAID',
  'REFUNDS_CREATE',
  'PRODUCTS_UPDATE',
  'INVENTORY_LEVELS_UPDATE',
  'CUSTOMERS_DATA_REQUEST',
  'CUSTOMERS_REDACT',
  'SHOP_REDACT',
]
const webhookHandlers = Object.fromEntries(topics.map((topic) => [topic, handler]))
const app = express()

app.post(path, shopify.processWebhooks({ webhookHandlers }))

app.listen(PORT, '127.0.0.1')
