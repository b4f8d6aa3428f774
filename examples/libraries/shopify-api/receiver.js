// Verifies deliveries of Shopify with @shopify/shopify-api, as its documentation shows for Express.
import '@shopify/shopify-api/adapters/node'
import { ApiVersion, DeliveryMethod, LogSeverity, shopifyApi } from '@shopify/shopify-api'
import express from 'express'

const { PORT, WEBHOOK_SECRET: apiSecretKey } = process.env
const shopify = shopifyApi({
  apiKey: 'unused',
  apiSecretKey,
  apiVersion: ApiVersion.July26,
  hostName: 'localhost',
  isEmbeddedApp: true,
  logger: { level: LogSeverity.Error },
})
const handler = { deliveryMethod: DeliveryMethod.Http, callbackUrl: '/webhooks', callback: async () => {} }
shopify.webhooks.addHandlers({
  ORDERS_CREATE: [handler],
  ORDERS_PAID: [handler],
  REFUNDS_CREATE: [handler],
  PRODUCTS_UPDATE: [handler],
  INVENTORY_LEVELS_UPDATE: [handler],
  APP_UNINSTALLED: [handler],
  CUSTOMERS_DATA_REQUEST: [handler],
  CUSTOMERS_REDACT: [handler],
  SHOP_REDACT: [handler],
})
const app = express()

async function answer(request, response) {
  try {
    await shopify.webhooks.process({ rawBody: request.body, rawRequest: request, rawResponse: response })
  } catch (error) {
    console.error(error.message)
  }
}

app.post('/webhooks', express.text({ type: '*/*' }), (request, response) => answer(request, response))

app.listen(PORT, '127.0.0.1')
