import { createServer, type IncomingMessage, type Server } from 'node:http'
import { json } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { faultsOfOddEvents } from '../../scripts/examples/odd-events.ts'
import { startServer } from '../support/start-server.ts'

type Event = Readonly<Record<string, unknown>>

/** What an example decides about an event. */
interface Rules {
  readonly isLive: (event: Event) => boolean
  readonly isMoney: (amount: unknown) => boolean
  readonly amountOf: (event: Event) => string
}

const RIGHT: Rules = {
  isLive: ({ livemode = true }) => livemode === true,
  isMoney: (amount) => typeof amount === 'string' && /^(?=.*[1-9])\d+(\.\d+)?$/.test(amount),
  amountOf: ({ amount }) => String(amount),
}

/** A receiver that keeps its effects in memory, and acknowledges what its work then fails to handle. */
function receiver({ isLive, isMoney, amountOf }: Rules): Server {
  const payments = new Map<unknown, object[]>()
  const work = (event: Event) => {
    const name = String(event['event'])
    const effects = payments.get(event['id']) ?? []
    const amount = amountOf(event)
    const effect = name === 'payment.refunded' ? 'reversed' : 'fulfilled'
    if (effect === 'reversed' || isMoney(event['amount']))
      payments.set(event['id'], [...effects, { event: name, effect, amount, livemode: isLive(event) }])
  }
  const answer = async (request: IncomingMessage): Promise<object> => {
    if (request.method === 'GET') {
      const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('payment_id')
      return { effects: payments.get(id) ?? [] }
    }
    const event = (await json(request)) as Event
    try {
      work(event)
    } catch {
      // It stays pending.
    }
    return {}
  }
  return createServer((request, response) => {
    void answer(request).then((body) => response.end(JSON.stringify(body)))
  })
}

async function faultsOf(rules: Partial<Rules>): Promise<string[]> {
  const url = await startServer(receiver({ ...RIGHT, ...rules }))
  return faultsOfOddEvents({ url, observe: url, secret: 'whsec_test', env: {} })
}

describe('an example that is sent odd events', () => {
  test('has no fault if it takes none of them for live money', async () => {
    expect(await faultsOf({})).toEqual([])
  })

  test.each<[string, Rules['isLive'], unknown[]]>([
    ['anything but false', ({ livemode }) => livemode !== false, [null, 'false', 'true', 0, 1]],
    ['anything truthy', ({ livemode = true }) => Boolean(livemode), ['false', 'true', 1]],
    ['null as a missing one', ({ livemode }) => (livemode ?? true) === true, [null]],
  ])('must not take %s for live', async (_, isLive, wrong) => {
    expect(await faultsOf({ isLive })).toEqual(
      wrong.map((livemode) => expect.stringContaining(`livemode: ${inspect(livemode)} }`)),
    )
  })

  test.each<[string, Rules['isMoney'], unknown[]]>([
    ['zero', (amount) => typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount), ['0', '0.00']],
    ['less than zero', (amount) => Number(amount) < 0 || RIGHT.isMoney(amount), ['-25.00']],
    ['nothing', (amount) => amount === undefined || RIGHT.isMoney(amount), [undefined]],
  ])('must not fulfill for %s', async (_, isMoney, wrong) => {
    expect(await faultsOf({ isMoney })).toEqual(
      wrong.map((amount) => expect.stringContaining(`amount: ${inspect(amount)} }`)),
    )
  })

  test('must reverse a refund without an amount', async () => {
    const amountOf = ({ amount }: Event) => (amount as string).trim()
    expect(await faultsOf({ amountOf })).toEqual(['a refund without an amount does not reverse'])
  })
})
