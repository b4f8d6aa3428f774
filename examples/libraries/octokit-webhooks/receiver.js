// Verifies deliveries of GitHub with the server of @octokit/webhooks.
import { createServer } from 'node:http'
import { createNodeMiddleware, Webhooks } from '@octokit/webhooks'

const { PORT, WEBHOOK_SECRET: secret } = process.env
const middleware = createNodeMiddleware(new Webhooks({ secret }), { path: '/webhooks' })

createServer((request, response) => void middleware(request, response)).listen(PORT, '127.0.0.1')
