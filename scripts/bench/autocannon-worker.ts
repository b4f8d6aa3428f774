// Loads a server with autocannon, each delivery signed by setupRequest, and prints the responses per second.
import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { createGenerator, serialize, sign } from '../../fixtures/index.ts'
import { SECRET } from './pinned.ts'

const [url = '', seconds = '2'] = process.argv.slice(2)
const template = serialize(createGenerator('autocannon').event('completed')).toString()
const id = /"payment_id":"([^"]+)"/.exec(template)?.[1] ?? ''

const { requests, non2xx } = await autocannon({
  url,
  connections: 50,
  duration: Number(seconds),
  requests: [
    {
      method: 'POST',
      setupRequest(request) {
        const body = Buffer.from(template.replaceAll(id, `tx_${randomUUID()}`))
        const { header } = sign({ secret: SECRET, t: Math.floor(Date.now() / 1000), body })
        const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': header }
        return { ...request, body, headers }
      },
    },
  ],
})
if (non2xx > 0) throw new Error(`autocannon: ${non2xx} responses were not 2xx`)
console.log(requests.average)
