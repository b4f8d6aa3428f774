import { describe, expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { graded, mutantNamed, SERVICES } from '../../services/grading.ts'
import { correct, SECRETS, serving } from '../../services/receiver.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

it('keeps the rate of the run while it looks for a cause', async () => {
  const rate = 250
  let requests = 0
  const { url } = await smallReceiver({
    behavior: { keys: () => ['whsec_of_a_former_endpoint'], gate: () => void (requests += 1) },
  })
  const started = performance.now()
  await check({ url, secret: SECRET, only: ['events/completed'], rate, seed: 'rate' })

  expect(requests).toBeGreaterThan(50)
  // A slow machine only makes it longer.
  expect(performance.now() - started).toBeGreaterThan((requests - 2) * (1000 / rate))
})

describe.each(SERVICES)('what a receiver of %s that accepts nothing does with the body', (service) => {
  const PARSED = 'a forged body that is not JSON is refused differently'
  it.each([
    ['signs a parsed object, which it then fails to parse', 'body_already_read', 'a body parser has already'],
    ['parses the body first, and has another secret', 'nothing_accepted', PARSED],
    ['has another secret', 'nothing_accepted', undefined],
  ])('is seen in one that %s', async (name, code, sentence) => {
    const { causes = [] } = await graded(service, mutantNamed(service, name).create(), ['transport/valid'])
    expect(causes.map((cause) => cause.code)).toEqual([code])
    if (sentence === undefined) expect(causes[0]?.sentence).not.toContain(PARSED)
    else expect(causes[0]?.sentence).toContain(sentence)
    // The report then has the code that verifies the raw body.
    expect(causes[0]?.rawBody).toBe(sentence === PARSED ? true : undefined)
  })
})

it.each(SERVICES)('names the service of a receiver of %s that is tested as another one', async (service) => {
  const other = service === 'stripe' ? 'github' : 'stripe'
  for (const tested of ['payment-service', other] as const) {
    const { causes = [] } = await serving(service, correct(service), (url) =>
      check({
        url,
        secret: SECRETS[service],
        service: tested,
        // Live mode, too, where the other service's events are of its test mode.
        ...(tested === 'payment-service' && { mode: 'live' as const }),
        only: [tested === 'payment-service' ? 'transport/posted-as-json' : 'transport/*valid*'],
      }),
    )
    expect(causes.map(({ code }) => code)).toEqual(['wrong_header_name'])
    expect(causes[0]?.fix).toContain(`add --service ${service}. `)
  }
})

it('does not name a service whose deliveries are accepted however they are signed', async () => {
  const { url } = await smallReceiver({
    behavior: { gate: ({ headers }) => (headers['x-github-event'] === undefined ? 401 : 200) },
  })
  const { causes = [] } = await check({
    url,
    secret: SECRET,
    only: ['transport/posted-as-json'],
    seed: 'any',
  })
  expect(causes[0]?.code).not.toBe('wrong_header_name')
})
