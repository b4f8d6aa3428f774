import { describe, expect, it, vi } from 'vitest'
import { webHandler } from '../../../receiver/fetch.ts'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { type FetchOptions, fetchHandler } from '../../../receiver/limits/limited-fetch.ts'
import { createOverload } from '../../../receiver/limits/overload.ts'
import { createReceiver, type DeliveryOutcome } from '../../../receiver/receive.ts'
import { until } from '../../support/until.ts'
import { events, signed, verify } from '../support.ts'

const valid = signed(events('fetch').event('completed'))
const { body, header } = valid

function receiver(options: Partial<FetchOptions> = {}) {
  const { overload = createOverload({ maxHeldBytes: 64 * 1024 }) } = options
  const inbox = memoryInbox()
  const outcomes: DeliveryOutcome[] = []
  const onOutcome = (outcome: DeliveryOutcome) => void outcomes.push(outcome)
  const handle = fetchHandler({ verify, inbox, onOutcome, ...options, overload })
  const answerTo = async (request: Request) => {
    const response = await handle(request)
    return { status: response.status, ...((await response.json()) as { code?: string }) }
  }
  return { handle, answerTo, inbox, outcomes, overload }
}

const deliver = (content: Exclude<RequestInit['body'], undefined>, headers: Record<string, string> = {}) =>
  new Request('http://receiver.example/webhooks', {
    method: 'POST',
    body: content,
    headers: { 'X-Service-Signature': header, ...headers },
    duplex: 'half',
  })

/** A body that the test controls, and what the receiver did with it. */
function source(pull?: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  const seen = { canceled: false }
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (own) => void (controller = own),
      pull: (own) => pull?.(own),
      cancel: () => void (seen.canceled = true),
    },
    { highWaterMark: 0 },
  )
  if (controller === undefined) throw new Error('start is called synchronously')
  return { stream, controller, seen }
}

describe('fetchHandler', () => {
  it('stores the exact bytes and answers 200', async () => {
    const { handle, inbox, outcomes, overload } = receiver()
    const response = await handle(deliver(body))
    expect([response.status, await response.json()]).toEqual([200, { received: true }])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '17',
    })
    expect((await inbox.list({ state: 'pending' })).map((entry) => entry.body)).toEqual([body])
    expect(outcomes).toMatchObject([{ outcome: 'stored', status: 200 }])
    expect(overload.heldBytes).toBe(0)
  })

  it('verifies bytes that text() would change: a byte order mark, and invalid UTF-8', async () => {
    const { answerTo } = receiver()
    const marked = signed(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]))
    const sent = (bytes: Buffer) => deliver(bytes, { 'X-Service-Signature': marked.header })
    expect(await answerTo(sent(marked.body))).toEqual({ status: 200, received: true })
    expect(await answerTo(sent(body))).toMatchObject({ code: 'signature_mismatch' })
    const replaced = signed(Buffer.from('{"event":"payment.completed","payment_id":"\uFFFD"}'))
    const invalid = Buffer.from('{"event":"payment.completed","payment_id":"\xff"}', 'latin1')
    const response = await answerTo(deliver(invalid, { 'X-Service-Signature': replaced.header }))
    expect(response).toMatchObject({ code: 'signature_mismatch' })
  })

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('refuses %s', async (method) => {
    const response = await receiver().handle(new Request('http://receiver.example/', { method }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('reads a request without a body as empty', async () => {
    const { answerTo } = receiver()
    expect(deliver(null).body).toBeNull()
    expect(await answerTo(deliver(null))).toMatchObject({ code: 'signature_mismatch' })
    const empty = signed(Buffer.alloc(0))
    const signedEmpty = deliver(null, { 'X-Service-Signature': empty.header })
    expect(await answerTo(signedEmpty)).toMatchObject({ status: 400, code: 'body_not_json' })
  })

  it.each<[string, (request: Request) => Promise<unknown>]>([
    ['json()', (request) => request.json()],
    ['text()', (request) => request.text()],
    ['part of the stream', (request) => Promise.resolve(request.body?.getReader().read())],
    ['a reader that has not read yet', async (request) => request.body?.getReader()],
  ])('names the cause and the fix when %s ran first', async (_name, read) => {
    const { handle } = receiver()
    const request = deliver(body)
    await read(request)
    const response = await handle(request)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({
      code: 'body_already_read',
      error: expect.stringMatching(/before .*body parser/),
    })
  })

  it('takes the time from the first of several headers, because Headers joins them', async () => {
    const { answerTo } = receiver()
    const stale = signed(body, 1_700_000_000).header
    const request = (first: string, second: string) => {
      const sent = deliver(body, { 'X-Service-Signature': first })
      sent.headers.append('X-Service-Signature', second)
      return sent
    }
    expect(await answerTo(request(header, stale))).toMatchObject({ status: 200 })
    expect(await answerTo(request(stale, header))).toMatchObject({ code: 'timestamp_too_old' })
    expect(await answerTo(request('t=1750000000,v1=0', header))).toMatchObject({ status: 200 })
    expect(await answerTo(request('v1=0', header))).toMatchObject({ code: 't_missing' })
  })

  it('rejects for a fault of the program', async () => {
    const verify = () => {
      throw new RangeError('a fault')
    }
    await expect(receiver({ verify }).handle(deliver(body))).rejects.toThrow(RangeError)
  })
})

describe('a body outside the limits', () => {
  it('is refused by its Content-Length, then drained', async () => {
    const { answerTo } = receiver({ limitBytes: 100 })
    const { stream, controller, seen } = source()
    const sent = deliver(stream, { 'Content-Length': '101' })
    expect(await answerTo(sent)).toMatchObject({ status: 413, code: 'body_too_large' })
    controller.enqueue(new Uint8Array(101))
    controller.close()
    await until(() => controller.desiredSize === 0)
    expect(seen.canceled).toBe(false)
  })

  it('is refused by its size, and not at the limit', async () => {
    const { answerTo, overload } = receiver({ limitBytes: body.length })
    expect(await answerTo(deliver(new Blob([body]).stream()))).toMatchObject({ status: 200 })
    const longer = new Blob([body, ' ']).stream()
    expect(await answerTo(deliver(longer))).toMatchObject({ status: 413, code: 'body_too_large' })
    expect(overload.heldBytes).toBe(0)
  })

  it('is canceled when it is endless', async () => {
    const { answerTo } = receiver({ limitBytes: 1000 })
    const { stream, seen } = source((controller) => controller.enqueue(new Uint8Array(64 * 1024)))
    expect(await answerTo(deliver(stream))).toMatchObject({ status: 413 })
    await until(() => seen.canceled)
  })

  it('is refused when it arrives in too many small chunks', async () => {
    const { answerTo, overload } = receiver({ overload: createOverload() })
    const { stream } = source((controller) => controller.enqueue(new Uint8Array(1)))
    expect(await answerTo(deliver(stream))).toMatchObject({ status: 400, code: 'body_too_fragmented' })
    expect(overload.heldBytes).toBe(0)
  })

  it('is refused when it is too slow, and counts no byte that arrives afterwards', async () => {
    const { answerTo, overload } = receiver({ bodyTimeoutMs: 10 })
    const { stream, controller } = source()
    const answered = answerTo(deliver(stream, { 'Content-Length': String(body.length) }))
    controller.enqueue(body.subarray(0, 10))
    expect(await answered).toMatchObject({ status: 408, code: 'body_too_slow' })
    controller.enqueue(body.subarray(10))
    controller.close()
    await new Promise((resolve) => setTimeout(resolve))
    expect(overload.heldBytes).toBe(0)
  })

  it('is canceled after its answer when it is too slow', async () => {
    const { answerTo } = receiver({ bodyTimeoutMs: 10 })
    const { stream, seen } = source()
    expect(await answerTo(deliver(stream))).toMatchObject({ status: 408 })
    expect(seen.canceled).toBe(false)
    await until(() => seen.canceled)
  })

  it('is evicted when others need its room, and counts no byte afterwards', async () => {
    const { answerTo, overload } = receiver({ overload: createOverload({ maxHeldBytes: 4096 }) })
    const { stream, controller } = source()
    const evicted = answerTo(deliver(stream))
    controller.enqueue(new Uint8Array(4096))
    await until(() => overload.heldBytes === 4096)
    const sized = { 'Content-Length': String(body.length) }
    expect(await answerTo(deliver(body, sized))).toMatchObject({ status: 200 })
    expect(await evicted).toMatchObject({ status: 503, code: 'body_evicted' })
    controller.enqueue(new Uint8Array(10))
    controller.close()
    await new Promise((resolve) => setTimeout(resolve))
    expect(overload.heldBytes).toBe(0)
  })

  it('is refused when complete bodies fill the room', async () => {
    const { answerTo, overload } = receiver()
    overload.reserve(64 * 1024)
    const sized = { 'Content-Length': String(body.length) }
    expect(await answerTo(deliver(body, sized))).toMatchObject({ status: 503, code: 'overloaded' })
    overload.release(64 * 1024)
    expect(overload.heldBytes).toBe(0)
  })

  it('is refused unread when too many deliveries wait for the store', async () => {
    const overload = createOverload({ maxWaiting: 1 })
    const { answerTo } = receiver({ overload })
    overload.enter()
    expect(await answerTo(deliver(body))).toMatchObject({ status: 503, code: 'overloaded' })
    expect(await answerTo(deliver(null))).toMatchObject({ status: 503, code: 'overloaded' })
  })

  it('is refused as truncated when its stream fails', async () => {
    const { answerTo, outcomes, overload } = receiver()
    const { stream, controller } = source()
    const answered = answerTo(deliver(stream))
    controller.enqueue(body.subarray(0, 10))
    controller.error(new Error('connection reset'))
    expect(await answered).toMatchObject({ status: 400, code: 'body_truncated' })
    expect(outcomes).toMatchObject([{ error: { cause: { message: 'connection reset' } } }])
    expect(overload.heldBytes).toBe(0)
  })
})

describe('construction', () => {
  it.each([[0], [Number.NaN], ['1mb']])('rejects the limit %j', (limit) => {
    expect(() => receiver({ limitBytes: limit as number })).toThrow(/^limitBytes: .*Omit it/)
  })
})

describe('the adapter to copy', () => {
  it('works without the limits, up to 1 MiB', async () => {
    const inbox = memoryInbox()
    const handle = webHandler(createReceiver({ verify, inbox }))
    const codeOf = async (request: Request) => (await (await handle(request)).json()) as { code?: string }
    expect(await codeOf(deliver(body))).toEqual({ received: true })
    expect((await inbox.list({ state: 'pending' })).map((entry) => entry.body)).toEqual([body])
    expect(await codeOf(deliver(null))).toMatchObject({ code: 'signature_mismatch' })
    expect(await codeOf(deliver(new Uint8Array(1024 * 1024 + 1)))).toMatchObject({ code: 'body_too_large' })
    const { stream, controller } = source()
    const answered = codeOf(deliver(stream))
    controller.error(new Error('connection reset'))
    expect(await answered).toMatchObject({ code: 'body_truncated' })
    const used = deliver(body)
    await used.text()
    expect(await codeOf(used)).toMatchObject({ code: 'body_already_read' })
  })
})

describe('a function that returns the options', () => {
  it('runs once, at the first request', async () => {
    const inbox = memoryInbox()
    let runs = 0
    const handle = fetchHandler(async () => {
      runs += 1
      return { verify, inbox }
    })
    await Promise.resolve()
    expect(runs).toBe(0)
    const answers = await Promise.all([handle(deliver(body)), handle(deliver(body))])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(runs).toBe(1)
    expect((await inbox.depth(Date.now())).pending).toBe(1)
  })

  it('runs again at the next request if it failed, and the sender gets only a code', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    let runs = 0
    const handle = fetchHandler(() => {
      runs += 1
      if (runs === 1) throw new Error('no database yet')
      return { verify, inbox: memoryInbox() }
    })
    const response = await handle(deliver(body))
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: expect.any(String), code: 'internal_error' })
    expect(logged.mock.calls).toEqual([['hookproof: a delivery got 500 internal_error: no database yet']])
    logged.mockRestore()
    expect((await handle(deliver(body))).status).toBe(200)
  })

  it('does not run again if its options are wrong', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    let runs = 0
    const handle = fetchHandler(() => {
      runs += 1
      return { secrets: undefined, inbox: memoryInbox() }
    })
    for (const _ of [1, 2]) expect((await handle(deliver(body))).status).toBe(500)
    expect(runs).toBe(1)
    expect(logged.mock.calls).toEqual([[expect.stringContaining('secrets: a secret is missing')]])
    logged.mockRestore()
  })
})
