import { expect, test } from 'vitest'
import { SERVICES } from '../../../conformance/contracts/services.ts'
import { hookproof } from '../support.ts'

const explain = (...args: string[]) => hookproof(['explain', ...args])

test('explains a case of a service: what it requires and why, what is sent, and the fix', async () => {
  const { code, stdout } = await explain('signature/id-replaced', '--service', 'standard-webhooks')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^signature\/id-replaced {2}MUST\n {2}Requirement {2}\d+ A receiver MUST /)
  expect(stdout).toMatch(/^ {2}Source {7}“The content to be signed .*”.*standard-webhooks\.md/m)
  expect(stdout).toMatch(/^ {2}Contract {5}Standard Webhooks 1\.0$/m)
  expect(stdout).toMatch(/^ {2}Sends {8}POST .*, another id than the signed one$/m)
  expect(stdout).toMatch(/^ {2}Fix {10}Compute the HMAC over the id/m)
})

test('shows code that verifies the deliveries of the service, or says that there is none', async () => {
  const of = async (service: string, framework: string) =>
    (await explain('body_reserialized', '--service', service, '--framework', framework)).stdout
  expect(await of('stripe', 'express')).toContain('Example in Express for Stripe\n')
  expect(await of('stripe', 'express')).toContain("req.get('Stripe-Signature')")
  expect(await of('github', 'flask')).toContain('request.headers.get("X-Hub-Signature-256", "")')
  const none = await of('stripe', 'spring')
  expect(none).toContain('There is no example for Stripe in Spring yet.')
  expect(none).not.toContain('X-Service-Signature')
})

test('shows how to handle a delivery once, by what its redeliveries share, or why there is no code', async () => {
  const of = async (cause: string, ...words: string[]) => (await explain(cause, ...words)).stdout
  for (const [service, key] of [
    ['stripe', 'the field id of the body'],
    ['github', 'the header X-GitHub-Delivery'],
    ['standard-webhooks', 'the header webhook-id'],
  ] as const) {
    const text = await of('no_deduplication', '--service', service, '--framework', 'rails')
    expect(text).toContain(
      `Example in SQL for ${SERVICES[service].title}\n    -- id: ${key}\n    CREATE TABLE handled`,
    )
    expect(text).not.toContain('payment_id')
  }
  for (const service of ['stripe', 'payment-service'])
    expect(await of('slow_acknowledgment', '--service', service, '--framework', 'rails')).toContain(
      'There is no example in Rails: the fix is not in the lines that verify a delivery.',
    )
})

test('a name that the service does not have is suggested from its own', async () => {
  const { code, stderr } = await explain('signature/id-replace', '--service', 'standard-webhooks')
  expect(stderr).toContain('did you mean signature/id-replaced?')
  expect(code).toBe(2)
  expect((await explain('zzz', '--service', 'stripe')).stderr).toContain(
    '`hookproof cases --service stripe` lists the cases, `hookproof explain --service stripe` the causes',
  )
  expect((await explain('signature-header/absent', '--service', 'stripe')).code).toBe(2)
})

test('lists the cases of a service with level and requirement', async () => {
  const { code, stdout } = await hookproof(['cases', '--service', 'stripe'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^transport\/valid +MUST +1 +A receiver MUST acknowledge a valid delivery/m)
  expect(stdout).toContain(
    `${SERVICES.stripe.cases.length} cases. \`hookproof explain <case> --service stripe\``,
  )
  const { stdout: json } = await hookproof(['cases', 'time', '--service', 'stripe', '--json'])
  const rows = JSON.parse(json) as { case: string; source: string }[]
  expect(rows.length).toBeGreaterThan(3)
  expect(rows.every((row) => row.case.startsWith('time/') && row.source !== '')).toBe(true)
})

test.each(['cases', 'explain x'])('%s refuses an unknown service with a suggestion', async (command) => {
  const { code, stderr } = await hookproof([...command.split(' '), '--service', 'strip'])
  expect(stderr).toBe('hookproof: --service is not known: strip; did you mean stripe? [bad_option]\n')
  expect(code).toBe(2)
})
