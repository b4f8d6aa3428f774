// Verifies deliveries of GitHub with Probot, which takes the secret from WEBHOOK_SECRET.
import { createServer } from 'node:http'
import { createNodeMiddleware, createProbot } from 'probot'

const probot = createProbot({ overrides: { githubToken: 'unused' } })
const middleware = await createNodeMiddleware(() => {}, { probot, webhooksPath: '/webhooks' })

createServer((request, response) => {
  void middleware(request, response, () => response.writeHead(404).end())
}).listen(process.env.PORT, '127.0.0.1')
