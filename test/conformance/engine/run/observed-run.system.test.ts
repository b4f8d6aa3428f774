import { describe, expect, it } from 'vitest'
import { type CheckOptions, check } from '../../../../conformance/check.ts'
import type { CaseId } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { awakeNow } from '../../../../conformance/engine/time/awake.ts'
import { serve } from '../../servers.ts'
import { nameOf, type Setting, smallReceiver } from '../../small-receiver.ts'
import { caseOf, kitOf, SECRET } from '../../support.ts'

const quick = { secret: SECRET, timeoutMs: 5_000 }
const isNotRefund = (event: Readonly<Record<string, unknown>>) => nameOf(event) !== 'payment.refunded'
const outcomes = async (options: CheckOptions) => {
  const { verdicts } = await check(options)
  return Object.fromEntries(verdicts.map(({ case: id, outcome }) => [id, outcome]))
}

describe('what cannot be observed is not judged', () => {
  const few = ['effects/*-is-*', 'refusals/forged-has-no-effect', 'transport/posted-as-json']

  it.concurrent('without an observer the full profile is incomplete', async ({
    onTestFinished: finished,
  }) => {
    const { url } = await smallReceiver({ finished })
    const report = await check({ ...quick, url, profile: 'full', only: few })

    expect(report.conclusion).toBe('incomplete')
    for (const { case: id, outcome, reason, exchanges } of report.verdicts) {
      if (id === 'transport/posted-as-json') continue
      expect([id, outcome, exchanges]).toEqual([id, 'untested', []])
      expect(reason).toBe('effects were not observed: no observe URL or command was given')
    }
  })

  it.concurrent.for<[string, number, string]>([
    ['a status', 500, '{"effects":[]}'],
    ['no JSON', 200, '<html>'],
    ['JSON of another shape', 200, '{"effects":[{"effect":"shipped"}]}'],
    ['a broken connection', 0, ''],
  ])(
    'an observation that breaks during the run leaves its cases untested: %s',
    async ([, status, body], { onTestFinished: finished }) => {
      let observations = 0
      const observer = await serve((__, response) => {
        observations += 1
        if (observations === 1) response.end('{"effects":[]}')
        else if (status === 0) response.destroy()
        else response.writeHead(status).end(body)
      }, finished)
      const { url } = await smallReceiver({ finished })
      const report = await check({ ...quick, url, observe: observer.url, only: few })

      expect(report.counts).toMatchObject({ passed: 1, failed: 0, warning: 0 })
      expect(report.conclusion).toBe('incomplete')
      expect(report.verdicts.find(({ outcome }) => outcome === 'untested')?.reason).toMatch(
        status === 0 ? 'could not reach the observe URL' : 'could not observe',
      )
    },
  )

  it.concurrent('an observation that breaks does not hide what the responses show', async ({
    onTestFinished: finished,
  }) => {
    let observations = 0
    const observer = await serve((_, response) => {
      observations += 1
      response.writeHead(observations === 1 ? 200 : 500).end('{"effects":[]}')
    }, finished)
    const { url } = await smallReceiver({ finished, behavior: { rejects: () => 422 } })
    const only = ['effects/completed-is-fulfilled']

    expect(await outcomes({ ...quick, url, observe: observer.url, only })).toEqual({
      'effects/completed-is-fulfilled': 'failed',
    })
  })

  it.concurrent('an observation that never worked prevents the run', async ({ onTestFinished: finished }) => {
    const observer = await serve((_, response) => response.writeHead(404).end(), finished)
    const { url } = await smallReceiver({ finished })

    await expect(check({ ...quick, url, observe: observer.url })).rejects.toMatchObject({
      name: 'HarnessError',
      code: 'observation_failed',
    })
  })
})

describe('effects that take time', () => {
  const absences = [
    'refusals/forged-has-no-effect',
    'effects/partial-is-not-credited',
    'effects/refund-before-completion',
  ]
  const grade = async (setting: Setting, only: string[], waitMs = 5_000) =>
    outcomes({ ...quick, ...(await smallReceiver(setting)), only, waitMs })

  it.concurrent('are awaited', async ({ onTestFinished: finished }) => {
    expect(
      await grade({ finished, effectAfterMs: 300 }, ['effects/completed-is-fulfilled', ...absences]),
    ).toEqual({
      'effects/completed-is-fulfilled': 'passed',
      'refusals/forged-has-no-effect': 'passed',
      'effects/partial-is-not-credited': 'passed',
      'effects/refund-before-completion': 'passed',
    })
  })

  it.concurrent('that never show fail a fulfillment and leave absences untested', async ({
    onTestFinished: finished,
  }) => {
    const none = { finished, behavior: { keeps: () => false } }
    expect(await grade(none, ['effects/completed-is-fulfilled', ...absences], 300)).toEqual({
      'effects/completed-is-fulfilled': 'failed',
      'refusals/forged-has-no-effect': 'untested',
      'effects/partial-is-not-credited': 'untested',
      'effects/refund-before-completion': 'untested',
    })
  })

  it.concurrent('are noticed when a second one follows 100 ms after the first', async ({
    onTestFinished: finished,
  }) => {
    const twice: Setting = {
      finished,
      behavior: {
        peek: (body, handle) =>
          setTimeout(() => handle(JSON.parse(body.toString()) as Record<string, unknown>), 100),
      },
    }
    expect(await grade(twice, ['effects/completed-is-fulfilled'])).toEqual({
      'effects/completed-is-fulfilled': 'failed',
    })
  })

  it.concurrent('are awaited while the receiver works through what other cases have sent', async ({
    onTestFinished: finished,
  }) => {
    const only = ['events', 'effects/completed-is-fulfilled', 'effects/partial-is-not-credited']
    // Some effect shows every few milliseconds: only a stall of a second would look like rest. All of them take longer.
    const waitMs = 1_000
    const started = performance.now()
    const graded = await grade({ finished, workers: 1, effectAfterMs: 12 }, only, waitMs)
    expect(performance.now() - started).toBeGreaterThan(waitMs)
    expect(Object.entries(graded).filter(([, outcome]) => outcome !== 'passed')).toEqual([])
  })

  it.concurrent('that are wrong are decided at once', async ({ onTestFinished: finished }) => {
    const forgetful = { finished, behavior: { keyOf: () => String(Math.random()) } }
    expect(await grade(forgetful, ['duplicates/delivered-twice-in-turn'], 600_000)).toEqual({
      'duplicates/delivered-twice-in-turn': 'failed',
    })
  })

  it.concurrent('are not awaited when the responses failed the case', async ({
    onTestFinished: finished,
  }) => {
    const refusing = { finished, behavior: { rejects: () => 422 } }
    expect(await grade(refusing, ['effects/completed-is-fulfilled', ...absences], 600_000)).toEqual({
      'effects/completed-is-fulfilled': 'failed',
      'refusals/forged-has-no-effect': 'inconclusive',
      'effects/partial-is-not-credited': 'failed',
      'effects/refund-before-completion': 'failed',
    })
  })

  it.concurrent('have the time that they took in the verdict', async ({ onTestFinished: finished }) => {
    const took = new Map<string, number | undefined>()
    // As in the verdict, what this process stood still does not count: on a busy machine that is most of the 120 ms.
    const waited: number[] = []
    const schedule = (work: () => void) => {
      const from = awakeNow()
      setTimeout(() => {
        work()
        waited.push(awakeNow() - from)
      }, 120)
    }
    await check({
      ...quick,
      ...(await smallReceiver({ finished, behavior: { keeps: isNotRefund, schedule } })),
      only: ['effects/completed-is-fulfilled', 'effects/refund-reverses', 'transport/posted-as-json'],
      waitMs: 250,
      onVerdict: (verdict) => took.set(verdict.case.id, verdict.effectsMs),
    })
    expect(took.get('effects/completed-is-fulfilled')).toBeGreaterThan(Math.min(...waited) / 2)
    expect(took.get('effects/refund-reverses')).toBeUndefined()
    expect(took.get('transport/posted-as-json')).toBeUndefined()
  })
})

describe('a payment that was acknowledged and never processed', () => {
  /** Loses the control payment that is sent last in a case. */
  const losing = async (only: string[], losesIn: CaseId, setting: Setting = {}) => {
    const seed = 'known@1'
    const kit = kitOf(losesIn, { seed })
    caseOf(losesIn).send(kit)
    const marker = kit.delivery('completed')
    const keeps = (event: Readonly<Record<string, unknown>>) => event['payment_id'] !== marker.key
    const receiver = await smallReceiver({ ...setting, behavior: { keeps } })
    const { verdicts } = await check({ ...quick, ...receiver, seed, only, waitMs: 200 })
    return { verdicts, lost: marker.key }
  }

  it.concurrent('is a failure of its own, and leaves the other cases to their effects', async ({
    onTestFinished: finished,
  }) => {
    const only = ['acknowledgement/nothing-lost', 'effects/completed-is-fulfilled', 'effects/partial-*']
    const { verdicts, lost } = await losing(only, 'effects/completed-is-fulfilled', { finished })
    const [first, ...others] = verdicts.map(({ case: id, outcome }) => [id, outcome])
    expect(first).toEqual(['acknowledgement/nothing-lost', 'failed'])
    expect(others.map(([, outcome]) => outcome)).toEqual(others.map(() => 'passed'))
    expect(verdicts[0]?.problems[0]?.received).toBe(
      `acknowledged, but not fulfilled: ${lost} (effects/completed-is-fulfilled)`,
    )
  })

  it.concurrent('is reported by the only case too', async ({ onTestFinished: finished }) => {
    const id = 'acknowledgement/nothing-lost'
    const { verdicts, lost } = await losing([id], id, { finished })
    expect(verdicts[0]?.problems[0]?.received).toBe(`acknowledged, but not fulfilled: ${lost} (${id})`)
  })

  it.concurrent('leaves its case untested when nothing else reports it', async ({
    onTestFinished: finished,
  }) => {
    const only = ['effects/completed-is-fulfilled', 'effects/partial-is-not-credited']
    const { verdicts } = await losing(only, 'effects/completed-is-fulfilled', { finished })
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['untested', 'passed'])
  })
})
