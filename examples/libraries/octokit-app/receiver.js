// Verifies deliveries of GitHub with the server of @octokit/app.
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { App, createNodeMiddleware } from '@octokit/app'

const { PORT, WEBHOOK_SECRET: secret } = process.env
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const oauth = { clientId: 'unused', clientSecret: 'unused' }
const app = new App({ appId: 1, privateKey, oauth, webhooks: { secret } })
const middleware = createNodeMiddleware(app, { pathPrefix: '' })

app.webhooks.onAny(() => {})
createServer((request, response) => void middleware(request, response)).listen(PORT, '127.0.0.1')
