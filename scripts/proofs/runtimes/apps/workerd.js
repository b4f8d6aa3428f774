// The example for Cloudflare Workers, with GET /observe.
import worker, { Receiver as Example } from './cloudflare-worker.js'

export class Receiver extends Example {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname !== '/observe') return super.fetch(request)
    return Response.json(await this.orders.observe(searchParams.get('payment_id')))
  }
}

export default worker
