import { describe, expect, it } from 'vitest'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import { createTarget } from '../../../../conformance/contracts/webhook/target.ts'
import type { Notice } from '../../../../conformance/engine/pace/slow.ts'
import { createTraffic } from '../../../../conformance/engine/pace/traffic.ts'
import type { Behavior } from '../../../mutants/behavior.ts'
import { runCases } from '../../run-cases.ts'
import { CORRECT, smallReceiver } from '../../small-receiver.ts'
import { caseOf, SECRET } from '../../support.ts'

const LOCKOUT = 'robustness/good-after-bad-signatures'
const PAUSE_MS = 300

/** What is remembered of the bad signatures that arrived. */
interface Seen {
  readonly from: string
  /** Bad signatures of this address, and of all. */
  readonly own: number
  readonly all: number
  /** How long ago the 20th of all was, in milliseconds. */
  readonly sinceMs: number
}

/** A receiver that turns a delivery away with this status, by the bad signatures that it has seen. */
function turningAway(status: number, isTurnedAway: (seen: Seen) => boolean): Partial<Behavior> {
  const bad = new Map<string, number>()
  const all = () => [...bad.values()].reduce((sum, count) => sum + count, 0)
  let from = ''
  let lockedAt = Number.POSITIVE_INFINITY
  return {
    gate(request, body) {
      from = request.socket.remoteAddress ?? ''
      const seen = { from, own: bad.get(from) ?? 0, all: all(), sinceMs: performance.now() - lockedAt }
      return isTurnedAway(seen) ? status : CORRECT.gate(request, body)
    },
    status({ code }) {
      if (code === 401) bad.set(from, (bad.get(from) ?? 0) + 1)
      if (code === 401 && all() === 20) lockedAt = performance.now()
      return code
    },
  }
}

async function judged(behavior: Partial<Behavior>, ...ids: Parameters<typeof caseOf>[0][]) {
  const { url } = await smallReceiver({ behavior })
  const now = () => Math.floor(Date.now() / 1000)
  const options = { secret: SECRET, seed: 'locked', mode: 'test', now } as const
  const target = createTarget({
    url: new URL(url),
    secret: SECRET,
    signatureHeader: 'X-Service-Signature',
    headers: [],
    timeoutMs: 5_000,
  })
  const notices: Notice[] = []
  const limits = { target, concurrency: 1, ackWithinMs: 5_000, waitMs: 1_000 }
  const traffic = createTraffic({
    ...limits,
    plain: createKit('traffic', options).valid,
    recoversWithinMs: PAUSE_MS,
    judgesLock: true,
    onNotice: (notice) => notices.push(notice),
  })
  const cases = [...ids, LOCKOUT].map((id) => caseOf(id as typeof LOCKOUT))
  const verdicts = []
  for await (const verdict of runCases({ ...options, ...limits, traffic, cases, observer: undefined }))
    verdicts.push(verdict)
  await traffic.finish()
  const outcomes = Object.fromEntries(verdicts.map(({ case: { id }, outcome }) => [id, outcome]))
  return { outcomes, notices: notices.map(({ code }) => code) }
}

describe('20 bad signatures of somebody else', () => {
  it.each([401, 403, 423, 429, 500])('lock a receiver that then answers %i to everybody', async (status) => {
    const { outcomes, notices } = await judged(turningAway(status, ({ all }) => all >= 20))
    expect(outcomes).toEqual({ [LOCKOUT]: 'failed' })
    expect(notices).toEqual(['turned_away'])
  })

  it('do not lock one that turns away no more than their sender, or everybody for a short time', async () => {
    const correct = [
      turningAway(429, ({ own }) => own >= 10),
      turningAway(403, ({ from }) => from === '127.0.0.2'),
      turningAway(429, ({ sinceMs }) => sinceMs >= 0 && sinceMs < PAUSE_MS / 2),
      {},
    ]
    for (const behavior of correct) expect((await judged(behavior)).outcomes).toEqual({ [LOCKOUT]: 'passed' })
  })
})

describe('bad signatures of other cases', () => {
  const many = [
    'transport/posted-as-json',
    'refusals/secret-in-another-form',
    'signature-header/v1-of-a-pattern',
    'events/every-payment-method',
    'events/every-failure-code',
  ] as const

  it('lock a receiver before that case', async () => {
    const { outcomes, notices } = await judged(
      turningAway(429, ({ all }) => all >= 5),
      ...many,
    )
    expect(outcomes[LOCKOUT]).toBe('failed')
    expect(notices).toEqual(['turned_away'])
  })

  it('end the run with an error where the receiver blocks their sender alone', async () => {
    const run = judged(
      turningAway(429, ({ own }) => own >= 5),
      ...many,
    )
    await expect(run).rejects.toThrow('rate_limited')
  })

  it('do not lock a receiver that has blocked this client and that of the case', async () => {
    const { outcomes } = await judged(
      turningAway(429, ({ own }) => own >= 5),
      'refusals/secret-in-another-form',
    )
    expect(outcomes[LOCKOUT]).toBe('inconclusive')
  })
})
