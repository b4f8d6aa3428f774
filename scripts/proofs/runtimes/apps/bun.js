import { handle } from './fetch.js'

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle })
process.stdout.write(`listening: ${server.url.origin}\n`)
