import { beforeEach, describe, expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { CATALOGUE, type CaseId } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import type { Mode, Verdict } from '../../../../conformance/contracts/webhook/model.ts'
import { createTarget } from '../../../../conformance/contracts/webhook/target.ts'
import { readConfig } from '../../../../server/config.ts'
import { start } from '../../../../server/server.ts'
import { LONG_CASES } from '../../../support/long-cases.ts'
import type { Finished } from '../../../support/temporary.ts'
import { runCases as runAll } from '../../run-cases.ts'
import { serve } from '../../servers.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { caseOf, kitOf, NOW, SECRET } from '../../support.ts'

const CASES_OF_LIVE_MODE = CATALOGUE.filter(({ mode }) => mode === 'live').map(({ id }) => id)

const quick = { secret: SECRET, timeoutMs: 60_000 }

describe('the reference receiver is conformant, with no untested case and no warning', () => {
  it.concurrent.for<Mode>(['test', 'live'])('in %s mode', async (mode, { onTestFinished }) => {
    const receiver = await start(
      readConfig({
        WEBHOOK_SECRET: SECRET,
        PORT: '0',
        INBOX: 'memory',
        OBSERVE: '1',
        LOG_LEVEL: 'silent',
      }),
    )
    onTestFinished(() => receiver.stop())
    const { url } = receiver
    // CI grades the bundled receiver with every case of both modes.
    const only = mode === 'test' ? [] : ['bypass', 'effects', ...CASES_OF_LIVE_MODE]
    const report = await check({
      ...quick,
      url: `${url}/webhooks`,
      observe: `${url}/observe`,
      mode,
      only,
      skip: LONG_CASES,
      ackWithinMs: 30_000,
      redeliverAfterMs: 1_000,
    })

    expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    expect(report.conclusion).toBe('conformant')
    expect(report.excluded.map(({ code }) => code)).toEqual(
      report.excluded.map(() => `${mode === 'test' ? 'live' : 'test'}_mode`),
    )
  })
})

describe('a seed', () => {
  it.concurrent('that the receiver has already seen is rejected', async ({ onTestFinished: finished }) => {
    const receiver = await smallReceiver({ finished })
    const only: CaseId[] = ['effects/completed-is-fulfilled']
    const first = await check({ ...quick, ...receiver, only, seed: 'once@1' })
    expect(first.conclusion).toBe('conformant')

    await expect(check({ ...quick, ...receiver, only, seed: 'once@1' })).rejects.toMatchObject({
      name: 'HarnessError',
      code: 'seed_used',
      message: expect.stringContaining('"seed" once@1'),
      names: ['seed'],
    })
    expect((await check({ ...quick, ...receiver, only, seed: 'another' })).conclusion).toBe('conformant')
  })

  it.concurrent('that the receiver remembers, but whose effects it has lost, gives another run other payments', async ({
    onTestFinished: finished,
  }) => {
    const receiver = await smallReceiver({ finished })
    const only = ['effects/completed-is-fulfilled', 'effects/refund-reverses']
    const once = () => check({ ...quick, ...receiver, only, seed: 'once', waitMs: 1_000 })
    expect((await once()).conclusion).toBe('conformant')
    receiver.forgetEffects()

    const report = await once()
    expect(report.conclusion).toBe('conformant')
    expect(report.seed).toBe('once')
  })

  it.concurrent('of a failure repeats its event as another payment, which the receiver has not seen', async ({
    onTestFinished: finished,
  }) => {
    const { url } = await smallReceiver({ finished, behavior: { keys: () => ['whsec_another'] } })
    const only = ['transport/posted-as-json', 'events/completed']
    const first = await check({ ...quick, url, only, seed: 'once' })
    const [failed] = first.verdicts
    expect(failed?.reproduce).toMatch(/--seed once$/)

    const again = await check({ ...quick, url, only: only.slice(0, 1), seed: 'once' })
    const [event, repeated] = [failed, again.verdicts[0]].map(
      (verdict) => JSON.parse(verdict?.exchanges[0]?.delivery.body.text ?? '') as Record<string, unknown>,
    )
    const anyOther = { id: expect.any(String), payment_id: expect.any(String), order_id: expect.any(String) }
    expect(repeated).toEqual({ ...event, ...anyOther, timestamp: expect.any(String) })
    expect(repeated?.['id']).not.toBe(event?.['id'])
  })

  it.concurrent('is random per run', async ({ onTestFinished: finished }) => {
    const { url } = await smallReceiver({ finished })
    const once = () => check({ ...quick, url, only: ['transport/posted-as-json'] })
    expect((await once()).seed).not.toBe((await once()).seed)
  })
})

describe('concurrent deliveries', () => {
  /** The case that each payment of a run belongs to. */
  const owners = new Map<unknown, string>()
  // With a nonce the ids are known beforehand.
  const seed = 'overlap@1'
  beforeEach(() => {
    for (const { id, send } of CATALOGUE)
      for (const { deliveries } of send(kitOf(id, { seed })))
        for (const { key } of deliveries) if (key !== undefined) owners.set(key, id)
  })

  /** A server that is slow enough for requests to overlap, and records which cases do. */
  async function meeting(finished?: Finished): Promise<{ url: string; meetings: ReadonlySet<string>[] }> {
    const here: string[] = []
    const meetings: ReadonlySet<string>[] = []
    const { url } = await serve(({ body }, response) => {
      const id = /"payment_id":"(\w+)"/.exec(body.toString('latin1'))?.[1]
      const owner = owners.get(id) ?? `none ${meetings.length}`
      here.push(owner)
      meetings.push(new Set(here))
      setTimeout(() => {
        here.splice(here.indexOf(owner), 1)
        response.end()
      }, 5)
    }, finished)
    return { url, meetings }
  }

  it('never overlap with a case that must run alone', async () => {
    const { url, meetings } = await meeting()
    await check({ ...quick, url, seed, profile: 'core' })

    const alone = new Set(CATALOGUE.filter((testCase) => testCase.alone === true).map(({ id }) => id))
    const withAlone = meetings.filter((ids) => [...ids].some((id) => alone.has(id)))
    expect(withAlone.length).toBeGreaterThan(50)
    for (const ids of withAlone) expect([...ids]).toHaveLength(1)
    expect(meetings.some((ids) => ids.size > 1)).toBe(true)
  })

  it.each([1, 3])('belong to at most %i cases', async (concurrency) => {
    const { url, meetings } = await meeting()
    await check({ ...quick, url, seed, profile: 'core', only: ['time-window', 'refusals'], concurrency })

    expect(Math.max(...meetings.map(({ size }) => size))).toBe(concurrency)
  })
})

describe('a receiver whose clock is wrong', () => {
  it.concurrent.for([1000, -1000])(
    'by %i s is graded by its own clock, and the report says so',
    async (aheadSeconds, { onTestFinished: finished }) => {
      const receiver = await smallReceiver({ aheadSeconds, finished })
      const report = await check({
        ...quick,
        ...receiver,
        only: ['time-window', 'refusals', 'transport', 'effects'],
      })

      expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
      expect(report.conclusion).toBe('conformant')
      expect(Math.abs((report.clockSkewSeconds ?? 0) - aheadSeconds)).toBeLessThanOrEqual(2)
      expect(report.diagnosis).toContain(aheadSeconds > 0 ? 'ahead of' : 'behind')
    },
  )

  it.concurrent('gets no diagnosis when the clock is right', async ({ onTestFinished: finished }) => {
    const { url } = await smallReceiver({ finished })
    const report = await check({ ...quick, url, only: ['time-window'] })
    expect(report).toMatchObject({ clockSkewSeconds: 0, diagnosis: null })
  })

  it.concurrent('is not diagnosed from the Date header of a proxy', async ({ onTestFinished: finished }) => {
    const { url } = await smallReceiver({ dateAheadSeconds: 1000, finished })
    const report = await check({ ...quick, url, only: ['time-window'] })
    expect(report).toMatchObject({ conclusion: 'conformant', clockSkewSeconds: null, diagnosis: null })
  })

  it.concurrent('gets the advice to check its clock when its responses do not show it', async ({
    onTestFinished: finished,
  }) => {
    const { url } = await smallReceiver({
      finished,
      behavior: { inWindow: (age) => Math.abs(age + 1000) <= 300 },
    })
    const report = await check({ ...quick, url, only: ['transport', 'time-window'] })
    expect(report.conclusion).toBe('not-conformant')
    expect(report.diagnosis).toContain('clock')
  })
})

describe('the stream of verdicts', () => {
  it('yields each verdict once as it is reached, and the report has them in the order of the catalogue', async () => {
    const { url } = await smallReceiver()
    const reached: string[] = []
    let announced = 0
    const report = await check({
      ...quick,
      url,
      profile: 'core',
      only: ['transport', 'acknowledgement', 'robustness'],
      onStart: (cases) => (announced = cases),
      onVerdict: (verdict) => reached.push(verdict.case.id),
    })

    const ids = report.verdicts.map(({ case: id }) => id)
    expect(ids).toEqual(CATALOGUE.map(({ id }) => id).filter((id) => ids.includes(id as CaseId)))
    expect(announced).toBe(ids.length)
    expect(new Set(reached)).toEqual(new Set(ids))
    expect(reached).toHaveLength(ids.length)
  })

  it('ends in an error when a case itself throws', async () => {
    const { url } = await smallReceiver()
    const broken = {
      ...caseOf('transport/posted-as-json'),
      send: () => {
        throw new Error('a mistake in the case')
      },
    }
    const verdicts = runAll({
      target: createTarget({
        url: new URL(url),
        secret: SECRET,
        signatureHeader: 'X-Service-Signature',
        headers: [],
        timeoutMs: 1000,
      }),
      secret: SECRET,
      seed: '1',
      mode: 'test',
      now: () => NOW,
      cases: [broken, caseOf('time-window/at-zero'), caseOf('acknowledgement/burst-of-50')],
      observer: undefined,
      concurrency: 1,
      ackWithinMs: 1000,
      waitMs: 1000,
    })
    const all = async () => {
      const received: Verdict[] = []
      for await (const verdict of verdicts) received.push(verdict)
      return received
    }
    await expect(all()).rejects.toMatchObject({
      failure: { code: 'internal', thrown: expect.stringContaining('a mistake in the case') as unknown },
    })
  })
})
