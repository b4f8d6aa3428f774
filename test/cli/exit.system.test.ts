import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { missingProgram, onWindows, requires } from '../support/prerequisites.ts'
import {
  freePort,
  hookproof,
  launch,
  type Result,
  recorder,
  referenceReceiver,
  runBuilt,
  temporaryFolder,
  until,
} from './support.ts'

const SEVERITIES = ['security', 'money', 'protocol']

/** A run that could not take place prints the reason in one line, and no verdict. */
function expectUnable({ code, stdout, stderr }: Result, expected: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^hookproof: [^\n]+\n$/)
  expect(stderr).toMatch(expected)
}

describe('0: conformant in the profile tested', () => {
  test('the bundled receiver', async () => {
    // `npm run conformance` runs the entire catalogue.
    const args = [
      'check',
      '--bundled',
      ...['events', 'refusals', 'effects/*-is-fulfilled'].flatMap((only) => ['--only', only]),
    ]
    const { code, stdout } = await runBuilt(args)
    expect(stdout).toMatch(/^Conformant in the (\d+) cases selected: \1 passed of \1 cases in /m)
    expect(code).toBe(0)
  })

  test('a receiver at a URL with observable effects', async () => {
    const { webhooks, observe } = await referenceReceiver()
    const { code, stdout } = await hookproof([
      'check',
      webhooks,
      '--observe',
      observe,
      '--only',
      'effects/*-is-*',
    ])
    expect(stdout).toMatch(/^Conformant in the (\d+) cases selected: \1 passed of \1 cases in /m)
    expect(code).toBe(0)
  })

  test('a receiver at a URL, in the core profile', async () => {
    const { webhooks } = await referenceReceiver()
    const { code, stdout } = await hookproof(['check', webhooks, '--only', 'refusals'])
    expect(stdout).toMatch(/Skipped: \d+ need the full profile/)
    expect(code).toBe(0)
  })
})

describe('1: not conformant', () => {
  test('a receiver that answers 200 to everything, with the security failures first', async () => {
    const { url } = await recorder()
    const file = join(temporaryFolder(), 'report.txt')
    const reports = ['--report', 'terminal', '--report', `terminal=${file}`]
    const { code, stdout } = await runBuilt(['check', `${url}/webhooks`, ...reports])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not conformant in the core profile: /m)
    // The screen has the details of a few failures only.
    const text = readFileSync(file, 'utf8')
    expect(stdout.length).toBeLessThan(text.length / 2)
    const severities = [...text.matchAll(/^x .*\[(\w+)\]$/gm)].map(([, severity = '']) => severity)
    expect(severities).toContain('security')
    expect(severities).toContain('protocol')
    expect(severities).toEqual(severities.toSorted((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b)))
  })

  test('a receiver with another secret, with the likely cause', async () => {
    const { webhooks } = await referenceReceiver()
    const args = ['check', webhooks, '--secret', 'whsec_another', '--only', 'transport/posted-as-json']
    const { code, stdout } = await hookproof(args)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not conformant\. 1 failure: no valid delivery was accepted: all got 401/)
  })
})

describe('2: could not run', () => {
  test('a mistake in the command line', async () => {
    expectUnable(await runBuilt(['check', '--no-such-option']), /--no-such-option/)
  })

  test('a port at which nothing listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}/webhooks`
    expectUnable(await hookproof(['check', url]), /refused.*start the receiver/)
  })

  test('no signing secret', async () => {
    const { url, seen } = await recorder()
    const result = await hookproof(['check', url], { env: { HOOKPROOF_SECRET: undefined } })
    expectUnable(
      result,
      /no signing secret: set HOOKPROOF_SECRET or WEBHOOK_SECRET, or pass --env-file, --secret-file or --secret/,
    )
    expect(seen).toEqual([])
  })

  test('a path that answers 404', async () => {
    const { webhooks } = await referenceReceiver()
    expectUnable(await hookproof(['check', `${webhooks}/nowhere`]), /answered 404 .*check the path/)
  })

  test('a host name that does not exist', async () => {
    const url = 'http://receiver.invalid/webhooks'
    expectUnable(await hookproof(['check', url]), /receiver\.invalid.*check the host name/)
  })

  test('https to a port that speaks http', async () => {
    const { url } = await recorder()
    const result = await hookproof(['check', `${url.replace('http:', 'https:')}/webhooks`])
    expectUnable(
      result,
      /TLS handshake failed.*; check whether the URL should start with http:\/\/ \[unreachable\]/,
    )
  })

  const openssl = requires(missingProgram('openssl', 'version'))
  openssl.test('an untrusted certificate, until NODE_EXTRA_CA_CERTS is set', async () => {
    const folder = temporaryFolder()
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const form = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
    const made = ['req', '-x509', ...form, ...subject, '-keyout', key, '-out', cert]
    execFileSync('openssl', made, { stdio: 'ignore' })
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      request.resume().on('end', () => response.end())
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const url = `https://localhost:${(server.address() as AddressInfo).port}/webhooks`

    expectUnable(await hookproof(['check', url]), /TLS handshake failed.*NODE_EXTRA_CA_CERTS/)
    const args = ['check', url, '--only', 'events/completed']
    expect(await runBuilt(args, { env: { NODE_EXTRA_CA_CERTS: cert } })).toMatchObject({ code: 0 })
  })
})

describe('an interrupted run on Windows', () => {
  /** Makes Node.js report Windows as its platform. */
  const windows = `data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`

  // A signal to oneself ends a process there with 1, which would mean: not conformant.
  test.skipIf(onWindows)('is exit code 2', async () => {
    const { url, seen } = await recorder(() => undefined)
    const run = launch(['check', url], { env: { NODE_OPTIONS: `--import=${windows}` } })
    await until(() => seen.length > 0 || run.hasEnded())
    run.kill('SIGTERM')
    expect(await run.done).toMatchObject({ code: 2, signal: null })
    expect(run.stderr()).toContain('hookproof: interrupted')
  })
})

describe('3: incomplete', () => {
  test('effects that are observed at another receiver', async () => {
    const { webhooks } = await referenceReceiver()
    // What is observed is another receiver, which shows nothing.
    const { observe } = await referenceReceiver()
    const args = [
      'check',
      webhooks,
      '--observe',
      observe,
      '--only',
      'effects/partial-is-not-credited',
      '--wait',
      '0.1',
    ]
    const { code, stdout } = await hookproof(args)
    expect(stdout).toMatch(/^Incomplete in the case selected: 1 not tested of 1 case/m)
    expect(code).toBe(3)
  })
})
