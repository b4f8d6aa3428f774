import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import { type Kit, paymentOf } from '../../../../conformance/contracts/payment-service/kit.ts'
import { accepted } from '../../../../conformance/contracts/webhook/expectations/expect.ts'
import type { Plan } from '../../../../conformance/contracts/webhook/model.ts'
import { createTarget } from '../../../../conformance/contracts/webhook/target.ts'
import { observeWith } from '../../../../conformance/engine/observe/observe.ts'
import {
  inOrder,
  inTurn,
  onSeparateConnections,
  staggered,
  together,
  untilAcknowledged,
  untilEffect,
} from '../../../../conformance/engine/plan.ts'
import type { Effect } from '../../../../schemas/types.ts'
import { runCases as runAll } from '../../run-cases.ts'
import { serve } from '../../servers.ts'
import { caseOf, NOW, SECRET } from '../../support.ts'

const { observation, shownBy } = paymentService

type Send = (kit: Kit) => Plan

/** Runs one case against a server that acknowledges and shows the effect of a payment after a delay. */
const runCase = (send: Send, delayMs = 0, status = 200, waitMs = 150) =>
  runCases([send], { delayMs, status, waitMs })

/** The same for several cases at the same time, of which one may begin early; a server may answer after a time. */
async function runCases(
  sends: readonly Send[],
  { delayMs = 0, ackMs = 0, status = 200, waitMs = 150, early = -1 },
) {
  const events: string[] = []
  const sockets = new Set<Socket>()
  const shown = new Map<string, Effect[]>()
  const { url } = await serve(({ request, body }, response) => {
    const { event, payment_id: id } = JSON.parse(body.toString()) as Record<string, string>
    events.push(event ?? '')
    sockets.add(request.socket)
    setTimeout(() => response.writeHead(status).end(), ackMs)
    setTimeout(() => {
      events.push(`effect of ${event}`)
      const effect = { event: event ?? '', effect: 'fulfilled', amount: '1', currency: 'USD' } as const
      shown.set(id ?? '', [effect])
    }, delayMs).unref()
  })
  const target = createTarget({
    url: new URL(url),
    secret: SECRET,
    signatureHeader: 'X-S',
    headers: [],
    timeoutMs: 1000,
  })
  const options = { target, secret: SECRET, seed: '1', mode: 'test', now: () => NOW, concurrency: 2 } as const
  const cases = sends.map((send, n) => ({
    ...caseOf('effects/refund-reverses'),
    id: `effects/${n}`,
    send,
    expect: [accepted],
    ...(n === early && { early: true as const }),
  }))
  const observer = observeWith((id) => shownBy(shown.get(id) ?? []), observation, 1000)
  const started = performance.now()
  for await (const _ of runAll({ ...options, cases, observer, ackWithinMs: 1000, waitMs })) void _
  return { events, sockets, ms: performance.now() - started }
}

const refundAfterEffect: Send = (kit) => {
  const paid = kit.delivery('completed')
  return inOrder(inTurn(paid), untilEffect(paid), inTurn(kit.delivery('refund', paymentOf(paid))))
}

describe('a step on separate connections', () => {
  it('opens a new connection for each delivery, one after another', async () => {
    const { events, sockets } = await runCase((kit) => {
      const [first, second] = [kit.delivery('completed'), kit.delivery('refund')]
      return inOrder(inTurn(first), onSeparateConnections(first, second, first))
    })
    expect(events.filter((event) => !event.startsWith('effect'))).toEqual([
      'payment.completed',
      'payment.completed',
      'payment.refunded',
      'payment.completed',
      'payment.completed',
    ])
    expect(sockets.size).toBe(4)
  })

  it('is not needed for deliveries that are sent together', async () => {
    const { sockets } = await runCase((kit) => together(...[1, 2, 3, 4].map(() => kit.delivery('completed'))))
    expect(sockets.size).toBe(4)
  })
})

describe('a staggered step', () => {
  it('sends each delivery at its time, on its own connection, whether or not others are answered', async () => {
    const send: Send = (kit) =>
      staggered(
        [40, kit.delivery('completed')],
        [0, kit.delivery('partial-crypto')],
        [20, kit.delivery('refund')],
      )
    const { events, sockets } = await runCases([send], { delayMs: 1_000, ackMs: 200, waitMs: 50 })
    expect(events.slice(0, 3)).toEqual(['payment.partial', 'payment.refunded', 'payment.completed'])
    expect(sockets.size).toBeGreaterThanOrEqual(3)
  })
})

describe('a case that begins early', () => {
  it('sends before those that are listed before it', async () => {
    const { events } = await runCases(
      [(kit) => inTurn(kit.delivery('completed')), (kit) => inTurn(kit.delivery('refund'))],
      { ackMs: 20, early: 1 },
    )
    expect(events[0]).toBe('payment.refunded')
  })
})

describe('a step that waits for an effect', () => {
  it('sends the next delivery only once the payment shows one', async () => {
    const { events } = await runCase(refundAfterEffect, 60)
    expect(events.slice(0, 3)).toEqual([
      'payment.completed',
      'effect of payment.completed',
      'payment.refunded',
    ])
  })

  it('goes on after the time-out', async () => {
    const { events } = await runCase(refundAfterEffect, 10_000)
    expect(events.slice(0, 2)).toEqual(['payment.completed', 'payment.refunded'])
  })

  it('does not wait for a payment that was refused', async () => {
    const { ms } = await runCase(refundAfterEffect, 10_000, 401, 600_000)
    expect(ms).toBeLessThan(600_000)
  })
})

describe('a step that sends until enough payments are acknowledged', () => {
  const others: Send = (kit) =>
    inOrder(
      inTurn(kit.delivery('completed'), kit.delivery('completed')),
      untilAcknowledged(5, 10_000, () => kit.delivery('completed')),
    )

  it('counts those that were acknowledged before', async () => {
    const { events } = await runCase(others)
    expect(events.filter((event) => event === 'payment.completed')).toHaveLength(5 + 1)
  })

  it('counts its own alone if it is to', async () => {
    const { events } = await runCase((kit) =>
      inOrder(
        inTurn(kit.delivery('completed'), kit.delivery('completed')),
        untilAcknowledged(5, 10_000, () => kit.delivery('completed'), true),
      ),
    )
    expect(events.filter((event) => event === 'payment.completed')).toHaveLength(2 + 5 + 1)
  })

  it('sends no more when the time is up', async () => {
    const { events } = await runCase((kit) => untilAcknowledged(50, 0, () => kit.delivery('completed')))
    expect(events.filter((event) => event === 'payment.completed')).toHaveLength(1)
  })

  it('goes on while another case sends one long step', async () => {
    // Each response takes a third of the waiting time, and the step nine of them.
    const slowly: Send = (kit) => inTurn(...Array.from({ length: 9 }, () => kit.delivery('completed')))
    const { events } = await runCases([refundAfterEffect, slowly], { delayMs: 300, ackMs: 50 })
    expect(events.indexOf('effect of payment.completed')).toBeLessThan(events.indexOf('payment.refunded'))
  })
})
