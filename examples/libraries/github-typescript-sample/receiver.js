// Verifies deliveries of GitHub as its documentation shows for TypeScript, with @octokit/webhooks.
import { Webhooks } from '@octokit/webhooks'
import express from 'express'

const { PORT, WEBHOOK_SECRET: secret } = process.env
const webhooks = new Webhooks({ secret })
const app = express()

async function answer(request, response) {
  const isValid = await webhooks.verify(request.body, request.headers['x-hub-signature-256'])
  response.status(isValid ? 200 : 401).send(isValid ? '' : 'Unauthorized')
}

app.post('/webhooks', express.text({ type: () => true, limit: '25mb' }), (request, response) =>
  answer(request, response),
)

app.listen(PORT, '127.0.0.1')
