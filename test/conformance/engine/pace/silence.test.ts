import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { CATALOGUE, type CaseId } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Exchange, Verdict } from '../../../../conformance/contracts/webhook/model.ts'
import { createTarget } from '../../../../conformance/contracts/webhook/target.ts'
import { causesFrom } from '../../../../conformance/diagnosis/diagnose.ts'
import { createSilenceWatch } from '../../../../conformance/engine/pace/silence.ts'
import { createTraffic } from '../../../../conformance/engine/pace/traffic.ts'
import { headlineOf, toReportCauses } from '../../../../conformance/report/causes.ts'
import type { Behavior } from '../../../mutants/behavior.ts'
import { runCases as runAll } from '../../run-cases.ts'
import { CORRECT, smallReceiver } from '../../small-receiver.ts'
import { kitOf, SECRET } from '../../support.ts'

const CASES: readonly CaseId[] = [
  'transport/posted-as-json',
  'signature-header/unknown-label-last',
  'refusals/another-secret',
  'refusals/empty-key',
  'events/completed',
  'acknowledgement/nothing-lost',
  'effects/completed-is-fulfilled',
  'robustness/alive-at-the-end',
]

/** Runs cases against a receiver; one that answers nothing gets `patienceMs` for a valid delivery. */
async function verdictsOf(gate: Behavior['gate'], patienceMs: number, concurrency = 2) {
  let requests = 0
  const counting: Behavior['gate'] = (...request) => {
    requests += 1
    return gate(...request)
  }
  const { url, effects } = await smallReceiver({ behavior: { gate: counting } })
  const target = createTarget({
    url: new URL(url),
    secret: SECRET,
    signatureHeader: 'X-Service-Signature',
    headers: [],
    timeoutMs: 150,
  })
  const kit = {
    secret: SECRET,
    seed: 'silence',
    mode: 'test' as const,
    now: () => Math.floor(Date.now() / 1000),
  }
  const limits = { concurrency, ackWithinMs: 1_000, waitMs: 100 }
  const plain = createKit('plain', kit)
  const traffic = createTraffic({
    ...limits,
    target,
    patienceMs,
    plain: () => plain.delivery('completed'),
  })
  await traffic.send(plain.delivery('completed'))
  const cases = CATALOGUE.filter(({ id }) => CASES.includes(id as CaseId))
  const observer = { effects: async (id: string) => effects(id), intervalMs: 5, parallel: 4, sample: 20 }
  const verdicts: Verdict[] = []
  for await (const verdict of runAll({ ...kit, ...limits, target, cases, observer, traffic }))
    verdicts.push(verdict)
  return { verdicts, silence: traffic.silence(), requests }
}

const NEVER = -1

/** Answers until `isBad` is true once, and then after `ms` again. */
function hangingFor(ms: number, isBad: (header: string) => boolean): Behavior['gate'] {
  let since: number | undefined
  return (request, body) => {
    if (isBad(CORRECT.headerOf(request))) since ??= performance.now()
    const isHanging = since !== undefined && performance.now() - since < ms
    return isHanging ? NEVER : CORRECT.gate(request, body)
  }
}
const hasUnknownLabel = (header: string) => /v[02-9]=|x=/.test(header)

describe('a receiver that hangs permanently', () => {
  it('ends the run, and the delivery that was in flight is the suspect', async () => {
    const gate = hangingFor(Number.POSITIVE_INFINITY, hasUnknownLabel)
    const { verdicts, silence } = await verdictsOf(gate, 80, 1)

    const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ case: { id } }) => id)
    expect(failed.toSorted()).toEqual(['robustness/alive-at-the-end', 'signature-header/unknown-label-last'])
    const untested = verdicts.filter(({ outcome }) => outcome === 'untested')
    expect(new Set(untested.map(({ reason }) => reason?.code))).toEqual(new Set(['stopped_answering']))
    const causes = toReportCauses(
      causesFrom({ service: paymentService, verdicts, isNarrowed: false, silence }),
      paymentService,
    )
    const [cause, ...others] = causes
    expect(cause).toMatchObject({
      code: 'stopped_answering',
      sentence: expect.stringMatching(
        /^The receiver stopped answering after signature-header\/unknown-label-last sent an? .*label.*\.$/,
      ),
    })
    expect(others).toEqual([])
    expect(headlineOf(causes, verdicts)?.text).toMatch(
      new RegExp(`^The receiver stopped answering after .*\\. ${untested.length} cases not judged\\.$`),
    )
  })
})

it('a receiver that answers only once is not measured, and gets five more deliveries', async () => {
  let isFirst = true
  const gate: Behavior['gate'] = () => {
    const status = isFirst ? undefined : NEVER
    isFirst = false
    return status
  }
  const { requests } = await verdictsOf(gate, 80, 1)

  expect(requests).toBe(1 + 1 + 5)
})

it('a receiver that answers again after a pause is judged to the end', async () => {
  const { verdicts, silence } = await verdictsOf(hangingFor(200, hasUnknownLabel), 2_000)

  expect(silence).toBeUndefined()
  expect(verdicts.filter(({ reason }) => reason?.code === 'stopped_answering')).toEqual([])
  const alive = verdicts.find(({ case: { id } }) => id === 'robustness/alive-at-the-end')
  expect(alive?.outcome).toBe('passed')
})

describe('the patience with a receiver that answers nothing', () => {
  const kit = kitOf('events/completed')
  const answered = (delivery: Delivery, ms: number): Exchange => ({
    delivery,
    answer: { status: 200, headers: [], body: Buffer.alloc(0), truncated: false, ms },
    error: undefined,
  })
  const timedOut = (delivery: Delivery): Exchange => ({
    delivery,
    answer: undefined,
    error: { code: 'timeout' },
  })
  /** Sends many at once, of which the first are answered. */
  function burst(ms: number, answers: number, all: number) {
    const watch = createSilenceWatch(0, 10_000)
    const sent = Array.from({ length: all }, () => {
      const delivery = kit.delivery('completed')
      return { delivery, number: watch.sending(delivery) }
    })
    for (const { delivery, number } of sent.slice(0, answers)) watch.saw(number, answered(delivery, ms))
    for (const { delivery, number } of sent.slice(answers)) watch.saw(number, timedOut(delivery))
    return watch
  }

  it('is ten seconds after quick answers', () => {
    expect(burst(5, 5, 50).patienceMs()).toBe(10_000)
  })

  it('grows with what a slow one has to work off, and has an end', () => {
    expect(burst(2_000, 5, 15).patienceMs()).toBe(40_000)
    expect(burst(6_000, 5, 50).patienceMs()).toBe(120_000)
  })

  it('shrinks when a later delivery is answered: a receiver that answers in turn has worked off the others', () => {
    const watch = burst(2_000, 5, 15)
    const delivery = kit.delivery('completed')
    watch.saw(watch.sending(delivery), answered(delivery, 2_000))
    expect(watch.patienceMs()).toBe(10_000)
  })
})

it('a receiver that is silent for a moment is not suspected, nor one that never answered', async () => {
  const kit = kitOf('events/completed')
  const delivery = kit.delivery('completed')
  const silent: Exchange = { delivery, answer: undefined, error: { code: 'timeout' } }
  const never = createSilenceWatch(0)
  expect(never.saw(never.sending(delivery), silent)).toBe(false)
  const watch = createSilenceWatch(1_000)
  const answer = { status: 200, headers: [], body: Buffer.alloc(0), truncated: false, ms: 1 }
  watch.saw(watch.sending(delivery), { delivery, answer, error: undefined })
  expect(watch.saw(watch.sending(delivery), silent)).toBe(false)
  await pause(0)
})
