import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { Stripe } from 'stripe'
import { describe, expect, onTestFinished, test } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { SERVICE_NAMES } from '../../../conformance/contracts/service-names.ts'
import { SERVICES } from '../../../conformance/contracts/services.ts'
import { createTarget } from '../../../conformance/contracts/webhook/target.ts'
import { examplesFor } from '../../../conformance/report/examples.ts'
import { handlerFor } from '../../../conformance/report/scheme-snippets.ts'
import { FRAMEWORKS } from '../../../conformance/report/snippets.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { missingProgram, requires } from '../../support/prerequisites.ts'
import { madeFailure, madeReport } from './made.ts'

const SECRET = `whsec_${Buffer.from('the key of the snippets').toString('base64')}`
const OTHERS = SERVICE_NAMES.filter((id) => id !== 'payment-service').map((id) => [id, SERVICES[id]] as const)

describe.each(OTHERS)('the handler for %s', (id, contract) => {
  test.each([
    ['as it is', []],
    ['with the library of the service, if it has one', ['body_already_read']],
  ])(
    'in Express is served %s, and passes the cases of signatures and times',
    async (_, causes) => {
      const code = handlerFor(contract, 'express', causes)?.code ?? ''
      if (causes.length > 0 && contract.library !== undefined) expect(code).not.toContain('createHmac')
      const app = express()
      const server = createServer(app)
      const { createHmac, timingSafeEqual } = await import('node:crypto')
      const served = Object.assign(app, { listen: () => server.listen(0, '127.0.0.1') })
      // oxlint-disable-next-line no-implied-eval, no-new-func
      new Function(
        'express',
        'process',
        'createHmac',
        'timingSafeEqual',
        'Stripe',
        code.replaceAll(/^import .*$/gm, ''),
      )(
        Object.assign(() => served, { raw: express.raw }),
        { env: { WEBHOOK_SECRET: SECRET } },
        createHmac,
        timingSafeEqual,
        Stripe,
      )
      onTestFinished(() => void server.close())
      await once(server, 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
      const sections = ['signature', 'time', 'transport/valid'].filter((pattern) =>
        contract.cases.some((one) => one.id.startsWith(pattern)),
      )
      const report = await check({ url, secret: SECRET, service: id, only: sections })
      const failed = report.verdicts.filter(({ outcome }) => outcome !== 'passed')
      expect(failed.filter(({ level }) => level === 'MUST').map((verdict) => verdict.case)).toEqual([])
    },
    60_000,
  )

  requires(missingProgram('python3')).test(
    'in Python accepts what the service signs, and nothing that was changed',
    () => {
      const kit = {
        secret: SECRET,
        seed: 'snippet',
        mode: 'test',
        now: () => Math.floor(Date.now() / 1000),
      } as const
      const deliveries = contract.samples.slice(0, 3).flatMap((sample) => contract.sample(sample, kit) ?? [])
      const { linesOf } = createTarget({
        url: new URL('http://localhost'),
        secret: SECRET,
        signatureHeader: contract.signatureHeader,
        headers: [],
        timeoutMs: 1,
        trust: {},
      })
      const requests = deliveries.flatMap((delivery) => {
        const headers = Object.fromEntries(
          linesOf(delivery).map(([name, value]) => [name.toLowerCase(), value]),
        )
        const body = delivery.body.toString('base64')
        const own = contract.signatureHeader.toLowerCase()
        const { [own]: signature = '', ...unsigned } = headers
        return [
          { headers, body },
          { headers, body: Buffer.concat([delivery.body, Buffer.from(' ')]).toString('base64') },
          { headers: unsigned, body },
          { headers: { ...headers, [own]: signature.replace(/.{6}$/, 'abcdef') }, body },
          { headers: { ...headers, [own]: 'é' }, body },
        ]
      })
      const code = handlerFor(contract, 'flask')?.code ?? ''
      expect(statusesInPython(code, requests)).toEqual(
        deliveries.flatMap(() => [
          200,
          401,
          400,
          401,
          expect.toSatisfy((status) => status === 400 || status === 401),
        ]),
      )
    },
  )

  test('is that of no other service, in whatever framework', () => {
    for (const framework of FRAMEWORKS) {
      const code = handlerFor(contract, framework)?.code
      expect(code?.toLowerCase().includes(contract.signatureHeader.toLowerCase()) ?? true, framework).toBe(
        true,
      )
      expect(code ?? '', framework).not.toMatch(/x-service-signature|undefined/i)
    }
  })
})

test('a report shows the code of its service and framework beside the cause, and none of another service', () => {
  const cause = (code: string) => ({ code, sentence: 'It.', fix: 'Do.', cases: ['body/indented'] })
  const report = madeReport([madeFailure('body/indented', 'security')], {
    service: 'stripe',
    framework: 'express',
    causes: [cause('body_reserialized'), cause('no_deduplication'), cause('error_not_caught')],
  })
  const [example, ...more] = examplesFor(report)
  expect(example).toMatchObject({ title: 'Express for Stripe', causes: ['body_reserialized'] })
  expect(example?.code).toContain('Stripe-Signature')
  expect(more).toMatchObject([{ title: 'SQL for Stripe', causes: ['no_deduplication'] }])
  expect(example?.code).toContain('constructEvent')
  // The library accepts any time in the future.
  const [written] = examplesFor({
    ...report,
    causes: [cause('body_reserialized'), cause('window_past_only')],
  })
  expect(written?.code).toContain('createHmac')
  expect(renderTerminal(report)).toContain('Example in Express for Stripe\n')
  expect(examplesFor({ ...report, framework: 'axum' }).map(({ title }) => title)).toEqual(['SQL for Stripe'])
  expect(examplesFor({ ...report, service: 'a later one' })).toEqual([])
})

/** Runs a handler of Flask in Python, with as much of Flask as it uses. */
function statusesInPython(code: string, requests: readonly unknown[]): unknown {
  const program = `
import base64, json, sys
class App:
    def post(self, path):
        return lambda handler: handler
class Request:
    def __init__(self, given):
        self.body = base64.b64decode(given["body"])
        self.headers = self
        self.given = given["headers"]
    def get(self, name, default):
        return self.given.get(name.lower(), default)
    def get_data(self):
        return self.body
app = App()
${code}
statuses = []
for given in json.load(sys.stdin):
    request = Request(given)
    statuses.append(webhooks()[1])
print(json.dumps(statuses))
`
  return JSON.parse(
    execFileSync('python3', ['-c', program], {
      input: JSON.stringify(requests),
      encoding: 'utf8',
      env: { ...process.env, WEBHOOK_SECRET: SECRET },
    }),
  )
}
