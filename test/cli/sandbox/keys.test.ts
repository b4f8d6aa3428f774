import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { readKeys } from '../../../cli/commands/listen/keys.ts'
import { lineOf } from '../../../cli/commands/listen/listen-output.ts'

it('reads single keys from a terminal, and gives it back', async () => {
  const modes: boolean[] = []
  const terminal = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => modes.push(isRaw),
  })
  const pressed: string[] = []
  const release = readKeys(terminal, { r: () => pressed.push('r'), q: () => pressed.push('q') })
  terminal.write('rRx')
  terminal.write('\u0003')
  await new Promise((resolve) => setImmediate(resolve))
  expect(pressed).toEqual(['r', 'r', 'q'])
  release?.()
  expect(modes).toEqual([true, false])
})

it('reads no keys from a pipe', () => {
  expect(readKeys(new PassThrough(), {})).toBeUndefined()
})

it('prints the time, the event and its page', () => {
  const attempt = {
    delivery: 'dlv_1',
    event_id: 'evt_1',
    event_url: 'http://127.0.0.1:4100/dashboard/tea-house/events/evt_1',
    event: 'payment.failed',
    payment_id: 'tx_1',
    attempt: 2,
    shown_url: 'http://localhost:3000/',
  }
  const listener = {
    url: '',
    forwardTo: 'http://localhost:3000/',
    isOneOfSeveral: false,
    secret: null,
    color: false,
    time: '14:03:07',
  }
  expect(lineOf({ type: 'delivery', ...attempt }, listener)).toBe(
    '14:03:07  --> payment.failed    tx_1  attempt 2  evt_1',
  )
  const ended = { type: 'answer', ...attempt, status: 500, error: null, detail: null, ms: 7 } as const
  expect(lineOf(ended, listener)).toBe(
    `14:03:07  <-- payment.failed    tx_1  attempt 2  500 in 7 ms  ${attempt.event_url}`,
  )
  expect(lineOf({ ...ended, status: 202 }, listener)).toBe(
    `14:03:07  <-- payment.failed    tx_1  attempt 2  202 in 7 ms, but must be 200  ${attempt.event_url}`,
  )
})
