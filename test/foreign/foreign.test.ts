import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ConformanceReport, check } from '../../conformance/index.ts'
import { type Running, withFastify, withHono, withNode } from './frameworks.ts'
import { type Check, createShop, handWritten } from './shop.ts'

const SECRET = 'whsec_foreign_0123456789'

const grade = (url: string) => check({ url: `${url}/webhooks`, observe: `${url}/observe`, secret: SECRET })
const named = ({ verdicts }: ConformanceReport, outcome: string) =>
  verdicts.filter((verdict) => verdict.outcome === outcome).map((verdict) => verdict.case)

async function gradeOnce(running: Running): Promise<ConformanceReport> {
  onTestFinished(async () => void (await running.close()))
  return grade(running.url)
}

describe('a correct receiver that is not ours is failed by nothing', () => {
  test.each([
    ['Fastify', withFastify],
    ['Hono', withHono],
    ['node:http', withNode],
  ])('on %s', async (_, start) => {
    const report = await gradeOnce(await start(createShop(handWritten(SECRET))))
    expect(named(report, 'failed')).toEqual([])
    expect(named(report, 'untested')).toEqual([])
    expect(report.conclusion).toBe('conformant')
  })

  test.each([
    [
      'Python, on its standard library alone',
      ['python3', '-c', 'import http.server'],
      'test/foreign/python.py',
    ],
    ['Ruby, on WEBrick', ['ruby', '-r', 'webrick', '-e', ''], 'test/foreign/ruby.rb'],
  ] as const)('in %s', async (language, [program, ...probe], file) => {
    if (spawnSync(program, probe).status !== 0) {
      const lacks = `${language}, is not installed here: its receiver was not graded`
      if (process.env['CI'] === 'true') throw new Error(lacks)
      process.stderr.write(`${lacks}\n`)
      return
    }
    const port = await freePort()
    const env = { ...process.env, HOOKPROOF_SECRET: SECRET }
    const child = spawn(program, [file, String(port)], { env, stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const url = `http://127.0.0.1:${port}`
    const answers = () =>
      fetch(url).then(
        () => true,
        () => false,
      )
    await expect.poll(answers, { timeout: 10_000 }).toBe(true)
    const report = await grade(url)
    expect(named(report, 'failed')).toEqual([])
    expect(named(report, 'untested')).toEqual([])
    expect(report.conclusion).toBe('conformant')
  })
})

test("a receiver on the stripe package's constructEvent is failed for what that leaves open, and for nothing else", async () => {
  const { webhooks, errors } = new Stripe('sk_test_not_used')
  const stripe: Check = (body, header = '') => {
    try {
      webhooks.constructEvent(body, header, SECRET)
      return undefined
    } catch (error) {
      // It parses too, once the signature is right; what is no event the shop refuses itself.
      if (error instanceof SyntaxError) return undefined
      const wrong =
        error instanceof errors.StripeSignatureVerificationError &&
        error.message.startsWith('No signatures found matching')
      return { status: wrong ? 401 : 400, content: { error: 'refused' } }
    }
  }
  const report = await gradeOnce(await withNode(createShop(stripe)))
  expect(named(report, 'failed')).toEqual([
    // A time that is no number is neither too old nor anything else.
    'signature-header/t-empty',
    'signature-header/t-not-a-number',
    // It looks at the past only.
    'time-window/just-outside-the-future',
    'time-window/a-year-ahead',
    'time-window/in-milliseconds',
    // It decodes the body before it verifies.
    'body-bytes/replacement-characters',
  ])
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
