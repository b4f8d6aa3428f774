import { describe, expect, it } from 'vitest'
import { type CheckOptions, check } from '../../../conformance/check.ts'
import { serve } from '../servers.ts'
import { type Setting, smallReceiver } from '../small-receiver.ts'
import { SECRET } from '../support.ts'

const quick = { secret: SECRET, timeoutMs: 5_000 }
const outcomes = async (options: CheckOptions) => {
  const { verdicts } = await check(options)
  return Object.fromEntries(verdicts.map(({ case: id, outcome }) => [id, outcome]))
}

describe('what cannot be observed is not judged', () => {
  const effects = ['effects', 'refusals/forged-has-no-effect', 'transport/posted-as-json']

  it.concurrent('without an observer the full profile is incomplete', async ({
    onTestFinished: finished,
  }) => {
    const { url } = await smallReceiver({ finished })
    const report = await check({ ...quick, url, profile: 'full', only: effects })

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
      const report = await check({ ...quick, url, observe: observer.url, only: effects })

      expect(report.counts).toMatchObject({ passed: 1, failed: 0, warning: 0 })
      expect(report.conclusion).toBe('incomplete')
      expect(report.verdicts.find(({ outcome }) => outcome === 'untested')?.reason).toMatch(
        status === 0 ? 'could not reach the observe URL' : 'could not observe',
      )
    },
  )

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
})
