import { describe, expect, it } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { requireService } from '../../../conformance/contracts/services.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { graded, mutantNamed, SERVICES } from './grading.ts'
import { correct, SECRETS, type Service, type Steps, serving } from './receiver.ts'

const notPassed = ({ verdicts }: ConformanceReport) =>
  verdicts.filter(({ outcome }) => outcome !== 'passed').map(({ case: id, outcome }) => `${id}: ${outcome}`)

describe.each(SERVICES)('receivers of %s', (service) => {
  const { cases, createKit } = requireService(service)
  const ids = new Set(cases.map(({ id }) => id))

  // `npm run proof -- services` grades other correct ones, and those with a mistake.
  it('passes a correct one in every case', async () => {
    expect(notPassed(await graded(service, correct(service)))).toEqual([])
  })

  it('has no verdict on the effects of one that shows nothing as handled', async () => {
    const accept: Steps['accept'] = (_request, _inbox, status) => status
    const report = await graded(service, { ...correct(service), accept }, ['duplicates', 'effects'])
    expect(report.conclusion).toBe('incomplete')
    expect(report.counts).toMatchObject({ failed: 0, warning: 0 })
    expect(report.counts.untested).toBeGreaterThan(10)
  })

  it('excludes what it cannot observe, and says so', async () => {
    const report = await serving(service, correct(service), (url) =>
      check({ url, service, secret: SECRETS[service], only: ['duplicates', 'effects'] }),
    )
    expect(report).toMatchObject({ profile: 'core', conclusion: 'conformant' })
    expect(new Set(report.excluded.map(({ code }) => code))).toEqual(new Set(['full_profile']))
  })

  it('states each requirement with its keyword, and why', () => {
    for (const { spec, level, contract } of cases) {
      expect(spec).toMatch(new RegExp(`\\b${level}\\b`))
      expect(contract?.source).toBeTruthy()
    }
  })

  it('has no two cases of one name', () => {
    expect(cases.length).toBe(ids.size)
  })

  it('sends in test mode only, and suggests a case that exists', async () => {
    const options = { url: 'http://127.0.0.1:9/webhooks', service, secret: SECRETS[service] }
    await expect(check({ ...options, mode: 'live' })).rejects.toThrow('"mode"')
    await expect(check({ ...options, only: ['transport/valid-one'] })).rejects.toThrow('transport/valid')
  })

  it('makes no two deliveries with the same signature', () => {
    const kit = createKit('any', {
      secret: SECRETS[service],
      seed: 's',
      mode: 'test',
      now: () => 1_764_000_000,
    })
    const signatures = [1, 2, 3].flatMap(() => kit.valid().signature)
    expect(new Set(signatures).size).toBe(3)
  })
})

it('says what the secret of Standard Webhooks must be', async () => {
  const options = { url: 'http://127.0.0.1:9/webhooks', service: 'standard-webhooks' } as const
  for (const secret of ['whsec_', 'whsec_not base64!', 'sk_live_1'])
    await expect(check({ ...options, secret })).rejects.toThrow('"secret" must be base64')
})

describe('the signatures that services publish', () => {
  const kitOf = (service: Service, secret: string, t = 1_614_265_330) =>
    requireService(service).createKit('vector', { secret, seed: 's', mode: 'test', now: () => t })

  it('of GitHub', () => {
    const { signature } = kitOf('github', "It's a Secret to Everybody").body('Hello, World!')
    expect(signature).toEqual(['sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'])
  })

  // cspell:disable
  it('of Slack', () => {
    const command = {
      token: 'xyzz0WbapA4vBCDEFasx0q6G',
      team_id: 'T1DC2JH3J',
      team_domain: 'testteamnow',
      channel_id: 'G8PSS9T3V',
      channel_name: 'foobar',
      user_id: 'U2CERLKJA',
      user_name: 'roadrunner',
      command: '/webhook-collect',
      text: '',
      response_url: 'https://hooks.slack.com/commands/T1DC2JH3J/397700885554/96rGlfmibIGlgcZRskXaIFfN',
      trigger_id: '398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
    }
    const kit = kitOf('slack', '8f742231b10e8888abcd99yyyzzz85a5', 1_531_420_618)
    const { signature } = kit.body(String(new URLSearchParams(command)))
    expect(signature).toEqual(['v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'])
  })
  // cspell:enable

  it('of Standard Webhooks', () => {
    const kit = kitOf('standard-webhooks', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const delivery = kit.body('{"test": 2432232314}')
    const withId = { ...delivery, signed: { ...delivery.signed, id: 'msg_p5jXN8AQM9LWM0D4loKWxJek' } }
    expect(kit.redelivery(withId, {}).signature).toEqual(['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='])
  })
})

it.each([
  ['accepts any signature of the right length', 'github', 'no_verification'],
  ['accepts any signature of the right length', 'stripe', 'no_verification'],
  ['never looks at the time', 'stripe', 'no_window'],
] as const)(
  'explains what one handles that %s (%s) by the reason that it is accepted',
  async (name, service, code) => {
    const report = await graded(service, mutantNamed(service, name).create())
    const failed = report.verdicts.filter(({ outcome }) => outcome === 'failed').map(({ case: id }) => id)
    expect(failed.filter((id) => id.endsWith('-not-handled'))).not.toEqual([])
    expect(report.causes?.map((cause) => cause.code)).toEqual([code])
    expect(report.causes?.[0]?.cases).toEqual(expect.arrayContaining(failed))
  },
)

// Which deliveries are lost depends on the moment: in a third of the runs no case with effects passes.
it('takes deliveries that are lost beside others for nothing else, whether a case with effects passes or not', async () => {
  const only = ['signature/*', 'effects/handled-after-*', 'effects/several-at-once', 'duplicates/ten-at-once']
  const { create } = mutantNamed('shopify', 'drops what arrives while it works')
  const named: string[] = []
  for (let batch = 0; batch < 20 && named.length < 12; batch += 1) {
    const reports = await Promise.all(Array.from({ length: 4 }, () => graded('shopify', create(), only)))
    named.push(...reports.flatMap(({ causes = [] }) => causes.map(({ code }) => code)))
  }
  expect(named.length).toBeGreaterThanOrEqual(12)
  expect(new Set(named)).toEqual(new Set(['lost_when_concurrent']))
}, 120_000)
