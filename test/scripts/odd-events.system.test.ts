import { createServer, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { faultsOfOddEvents, unhandledEvents } from '../../scripts/examples/odd-events.ts'
import { missedIn } from '../../scripts/examples/trap.ts'
import { startServer } from '../support/start-server.ts'
import { temporaryFolder } from '../support/temporary.ts'

type Event = Readonly<Record<string, unknown>>

/** What an example decides about an event. */
interface Rules {
  readonly isLive: (event: Event) => boolean
  readonly isMoney: (amount: unknown) => boolean
  readonly amountOf: (event: Event) => string
  readonly completedAfterMs?: number
}

const isDecimal = (amount: unknown) => /^(?=.*[1-9])\d+(\.\d+)?$/.test(amount as string)

const RIGHT: Rules = {
  isLive: ({ livemode = true }) => livemode === true,
  isMoney: (amount) => typeof amount === 'string' && isDecimal(amount),
  amountOf: ({ amount }) => (typeof amount === 'string' ? amount : 'no text'),
}

/**
 * A receiver that keeps its effects in memory, and acknowledges what its work then fails to handle.
 * @param completedAfterMs how long after its acknowledgment a completion is handled
 */
function receiver({ isLive, isMoney, amountOf, completedAfterMs = 0 }: Rules): Server {
  const payments = new Map<unknown, object[]>()
  const work = (event: Event) => {
    const name = String(event['event'])
    const effects = payments.get(event['id']) ?? []
    const amount = amountOf(event)
    const effect = name === 'payment.refunded' ? 'reversed' : 'fulfilled'
    if (effect === 'reversed' || (isMoney(event['amount']) && effects.length === 0))
      payments.set(event['id'], [...effects, { event: name, effect, amount, livemode: isLive(event) }])
  }
  const answer = async (request: IncomingMessage): Promise<object> => {
    if (request.method === 'GET') {
      const id = new URL(request.url ?? '', 'http://localhost').searchParams.get('payment_id')
      return { effects: payments.get(id) ?? [] }
    }
    const event = (await json(request)) as Event
    const handle = () => {
      try {
        work(event)
      } catch {
        // It stays pending.
      }
    }
    if (completedAfterMs > 0 && event['event'] === 'payment.completed') setTimeout(handle, completedAfterMs)
    else handle()
    return {}
  }
  return createServer((request, response) => {
    void answer(request).then((body) => response.end(JSON.stringify(body)))
  })
}

async function faultsOf(rules: Partial<Rules>, withinMs?: number): Promise<string[]> {
  const url = await startServer(receiver({ ...RIGHT, ...rules }))
  const faults = await faultsOfOddEvents({ url, observe: url, secret: 'whsec_test', env: {} }, withinMs)
  return faults.map(({ code, text }) => `${code}: ${text}`)
}

describe('an example that is sent odd events', () => {
  test('has no fault if it takes none of them for live money', async () => {
    expect(await faultsOf({})).toEqual([])
  })

  test('has no fault if it handles a refund before its completion, which it then does not fulfill', async () => {
    expect(await faultsOf({ completedAfterMs: 200 })).toEqual([])
  })

  test.each<[string, Rules['isLive'], string[]]>([
    ['anything but false', ({ livemode }) => livemode !== false, ['null', '"false"', '"true"', '0', '1']],
    ['anything truthy', ({ livemode = true }) => Boolean(livemode), ['"false"', '"true"', '1']],
    ['null as a missing one', ({ livemode }) => (livemode ?? true) === true, ['null']],
  ])('must not take %s for live', async (_, isLive, wrong) => {
    expect(await faultsOf({ isLive })).toEqual(
      wrong.map((livemode) => `not_live: a completion with the livemode ${livemode} is fulfilled as live`),
    )
  })

  test.each<[string, Rules['isMoney'], string[]]>([
    [
      'zero',
      (amount) => typeof amount === 'string' && /^\d+(\.\d+)?$/.test(amount),
      ['the amount "0"', 'the amount "0.00"'],
    ],
    [
      'less than zero',
      (amount) => typeof amount === 'string' && isDecimal(amount.replace('-', '')),
      ['the amount "-25.00"'],
    ],
    ['nothing', (amount) => amount === undefined || RIGHT.isMoney(amount), ['no amount']],
    [
      'a number, which has lost digits',
      (amount) => RIGHT.isMoney(typeof amount === 'number' ? String(amount) : amount),
      ['the amount 25', 'the amount 12345678901234567890'],
    ],
    [
      'a list that has a decimal',
      (amount) => RIGHT.isMoney(amount) || (Array.isArray(amount) && isDecimal(amount)),
      ['the amount ["25.00"]'],
    ],
  ])('must not fulfill for %s', async (_, isMoney, wrong) => {
    expect(await faultsOf({ isMoney })).toEqual(
      wrong.map((amount) => `not_money: a completion with ${amount} is fulfilled`),
    )
  })

  test.each<[string, Rules['amountOf'], string[]]>([
    [
      'without an amount',
      ({ amount }) => (amount === undefined ? fail() : RIGHT.amountOf({ amount })),
      ['no amount and no currency'],
    ],
    [
      'whose amount has a toString of its own',
      ({ amount }) => String(amount),
      ['the amount {"toString":1} and the currency {"toString":1}'],
    ],
    [
      'with half a character',
      ({ amount }) => encodeURIComponent(RIGHT.amountOf({ amount })),
      ['the amount "\\ud800" and the currency "\\ud800"'],
    ],
  ])('must reverse a refund %s', async (_, amountOf, wrong) => {
    // They are never reversed, however long one waits.
    expect(await faultsOf({ amountOf }, 1_000)).toEqual(
      wrong.map((fields) => `unhandled: a refund with ${fields} does not reverse`),
    )
  })

  test('must keep every digit of a long amount', async () => {
    const amountOf = ({ amount }: Event) => String(Number.parseFloat(RIGHT.amountOf({ amount })))
    expect(await faultsOf({ amountOf })).toEqual([
      expect.stringMatching(/^unhandled: .*123456789012345678901234567890\.12/),
    ])
  })

  test('must handle what it has acknowledged', async () => {
    const path = join(temporaryFolder(), 'example.sqlite')
    const database = new DatabaseSync(path)
    database.exec(`CREATE TABLE inbox (key TEXT, done INTEGER DEFAULT 0); CREATE TABLE queue (state TEXT); CREATE TABLE effect (key TEXT);
      INSERT INTO inbox VALUES ('a', 1), ('b', 0); INSERT INTO queue VALUES ('done'), ('pending'); INSERT INTO effect VALUES ('a')`)
    setTimeout(() => database.exec('UPDATE inbox SET done = 1'), 300)
    expect(await unhandledEvents(path, 1000)).toBe(1)
    database.close()
  })
})

describe('the mistakes of an example with odd events', () => {
  test('must show each kind', () => {
    const codes = ['not_money', 'not_live', 'unhandled'] as const
    expect(missedIn(codes.map((code) => ({ code, text: '' })))).toBeUndefined()
    for (const code of codes) {
      const others = codes.filter((other) => other !== code)
      expect(missedIn(others.map((other) => ({ code: other, text: '' })))).toBe(
        `odd events do not show: ${code}`,
      )
    }
  })
})

function fail(): never {
  throw new Error('it stays pending')
}
