// The control: a receiver as it is often written. It keeps every chunk of a body until the end, and serves a limited number
// of requests at a time. It checks no signature.
import { createServer } from 'node:http'

const MOST_REQUESTS = 64
let open = 0

const server = createServer((request, response) => {
  if (open >= MOST_REQUESTS) {
    request.resume()
    response.writeHead(503, { 'Content-Length': 0 }).end()
    return
  }
  open += 1
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { length } = Buffer.concat(chunks)
    response
      .writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 2 })
      .end(length > 0 ? 'ok' : 'no')
  })
  request.on('error', () => {})
  response.on('close', () => {
    open -= 1
  })
})
server.on('clientError', (_error, socket) => socket.destroy())
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`)
})
