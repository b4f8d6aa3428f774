import { createHmac, randomBytes } from 'node:crypto'
import { compileFunction } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type K6Options, k6Script, k6TestRun } from '../../load/k6/script.ts'
import { createVerifier } from '../../receiver/verify.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { hookproof } from '../cli/support.ts'
import { correct, SECRETS, type Service, serving } from '../conformance/services/receiver.ts'

const SECRET = 'whsec_for_the_tests_of_the_script'
const OPTIONS: K6Options = {
  version: '1.2.3',
  url: new URL('http://127.0.0.1:3000/webhooks?a="\'`${b}'),
  signatureHeader: 'X-Other-Signature',
  rate: 20,
  durationMs: 1500,
  connections: 7,
  timeoutMs: 2000,
  seed: 'k6',
}

interface Sent {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

interface Script {
  readonly options: {
    readonly scenarios: { readonly deliveries: Record<string, unknown> }
    readonly thresholds: Record<string, readonly string[]>
  }
  readonly sent: readonly Sent[]
  readonly aborted: readonly string[]
  setup(): void
  iterate(): void
}

/** Runs the script as k6 would, with the functions that it imports replaced. `npm run proof -- k6` runs it with k6. */
function load(script: string, env: Readonly<Record<string, string>>): Script {
  const sent: Sent[] = []
  const aborted: string[] = []
  const modules = {
    check: () => true,
    crypto: {
      hmac: (algorithm: string, secret: string | ArrayBuffer, text: string, encoding: 'hex' | 'base64') =>
        createHmac(algorithm, typeof secret === 'string' ? secret : new Uint8Array(secret))
          .update(text)
          .digest(encoding),
      randomBytes: (size: number) => Uint8Array.from(randomBytes(size)).buffer,
    },
    encoding: { b64decode: (text: string) => Uint8Array.from(Buffer.from(text, 'base64')).buffer },
    exec: { scenario: { iterationInTest: 0 }, test: { abort: (text: string) => void aborted.push(text) } },
    http: {
      setResponseCallback: () => {},
      expectedStatuses: () => {},
      post: (url: string, body: string, { headers }: Pick<Sent, 'headers'>) => {
        sent.push({ url, body, headers })
        return { status: 200 }
      },
    },
  }
  const body = script
    .replaceAll(/^import .*$/gm, '')
    .replace('export default function ', 'function iterate')
    .replaceAll(/^export /gm, '')
  const names = ['__ENV', ...Object.keys(modules)]
  const run = compileFunction(`${body}\nreturn { options, setup, iterate }`, names)
  const { options, setup, iterate } = run(env, ...Object.values(modules))
  const counting = () => {
    iterate()
    modules.exec.scenario.iterationInTest += 1
  }
  return { options, setup, iterate: counting, sent, aborted }
}

describe('k6Script', () => {
  it('exports what k6 looks for', () => {
    const exported = [...k6Script(OPTIONS).matchAll(/^export (.*?) [={(]/gm)].map(([, what]) => what)
    expect(exported).toEqual(['const options', 'function setup()', 'default function'])
  })

  it('sends events as the service does, each signed and of a new payment', () => {
    const script = load(k6Script(OPTIONS), { HOOKPROOF_SECRET: SECRET })
    script.setup()
    for (let count = 0; count < 10; count += 1) script.iterate()

    expect(script.aborted).toEqual([])
    const verify = createVerifier({ secrets: SECRET })
    const events = script.sent.map(({ body, headers }) => {
      expect(headers).toMatchObject({ 'Content-Type': 'application/json' })
      verify(Buffer.from(body), headers['X-Other-Signature'] ?? '')
      return JSON.parse(body) as Record<string, unknown>
    })
    expect(new Set(script.sent.map(({ url }) => url))).toEqual(new Set([OPTIONS.url.href]))
    expect(new Set(events.map(({ payment_id: id }) => id)).size).toBe(10)
    expect(new Set(events.map(({ payment_method: method }) => method)).size).toBe(5)
    for (const event of events) {
      expect(explain(validate('event.strict', event))).toBe('')
      expect(event['payment_id']).toMatch(/^tx_\w{20}$/)
      expect(Date.now() - Date.parse(String(event['timestamp']))).toBeLessThan(60_000)
    }
    // The signature covers UTF-8 bytes, so some of them are not ASCII.
    expect(script.sent.some(({ body }) => /[^\p{ASCII}]/u.test(body))).toBe(true)
  })

  it('sends at the given rate, which environment variables change', () => {
    const { options } = load(k6Script(OPTIONS), {})
    expect(options.scenarios.deliveries).toMatchObject({
      executor: 'constant-arrival-rate',
      rate: 20,
      timeUnit: '1s',
      duration: '1.5s',
      preAllocatedVUs: 7,
    })
    expect(options.thresholds).toMatchObject({ checks: ['rate==1'], http_req_failed: ['rate==0'] })

    const env = { HOOKPROOF_SECRET: SECRET, TARGET: 'http://a/', RATE: '3', DURATION: '9m', VUS: '2' }
    const changed = load(k6Script(OPTIONS), env)
    expect(changed.options.scenarios.deliveries).toMatchObject({
      rate: 3,
      duration: '9m',
      preAllocatedVUs: 2,
    })
    changed.iterate()
    expect(changed.sent[0]?.url).toBe('http://a/')
  })

  it('aborts without a secret', () => {
    const script = load(k6Script(OPTIONS), {})
    script.setup()
    expect(script.aborted).toEqual([expect.stringMatching(/HOOKPROOF_SECRET is not set/)])
  })

  it('is the same for the same seed', () => {
    expect(k6Script(OPTIONS)).toBe(k6Script(OPTIONS))
    expect(k6Script({ ...OPTIONS, seed: 'other' })).not.toBe(k6Script(OPTIONS))
  })
})

describe.each(Object.keys(SECRETS) as Service[])('the script of %s', (service) => {
  it('sends what a correct receiver accepts, each with ids of its own', async () => {
    const secret = SECRETS[service]
    const { stdout } = await hookproof(['load', '--export', 'k6', '--service', service])
    expect(stdout).not.toContain(secret)
    const script = load(stdout, { HOOKPROOF_SECRET: secret })
    for (let count = 0; count < 5; count += 1) script.iterate()

    const own = script.sent.map(({ body, headers }) => `${body} ${JSON.stringify(headers)}`)
    expect(new Set(own).size).toBe(5)
    const statuses = await serving(service, correct(service), (url) =>
      Promise.all(
        script.sent.map(async ({ body, headers }) => {
          const { status } = await fetch(url, { method: 'POST', body, headers })
          return status
        }),
      ),
    )
    expect(statuses).toEqual([204, 204, 204, 204, 204])
  })
})

describe('k6TestRun', () => {
  it('is a TestRun that reads the secret from a Secret and the script from a ConfigMap', () => {
    const value = (name: string, text: string) => ({ name, value: text })
    expect(parse(k6TestRun(OPTIONS))).toEqual({
      apiVersion: 'k6.io/v1alpha1',
      kind: 'TestRun',
      metadata: { name: 'hookproof-load' },
      spec: {
        parallelism: 4,
        script: { configMap: { name: 'hookproof-load', file: 'load.js' } },
        runner: {
          env: [
            {
              name: 'HOOKPROOF_SECRET',
              valueFrom: { secretKeyRef: { name: 'hookproof-load', key: 'secret' } },
            },
            value('TARGET', OPTIONS.url.href),
            value('RATE', '20'),
            value('DURATION', '1.5s'),
            value('VUS', '7'),
          ],
        },
      },
    })
  })
})
