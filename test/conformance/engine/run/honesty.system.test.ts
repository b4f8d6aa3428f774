import { createServer, type ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { CheckOptions } from '../../../../conformance/check.ts'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { HarnessError } from '../../../../conformance/harness-error.ts'
import { renderTerminal } from '../../../../conformance/report/terminal/terminal.ts'
import { freePort } from '../../../support/free-port.ts'
import { serve, serveRaw } from '../../servers.ts'
import { CORRECT, smallReceiver } from '../../small-receiver.ts'
import { byStatus, CLOSED, grade, passed, passesNothing, REFUSALS, refusesNothing, SAMPLE } from './honest.ts'

const failureOf = async (run: Promise<unknown>): Promise<HarnessError> => {
  const error: unknown = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof HarnessError) return error
  throw new Error(`no HarnessError but ${String(error)}`)
}
/** The impact of a case whose delivery no attacker can sign. */
const ONLY_BY_THE_SECRET_HOLDER = /only the holder of the secret can/i
const impactOf = (id: string) => CATALOGUE.find((testCase) => testCase.id === id)?.impact ?? ''

describe('a receiver that never accepts passes no case', () => {
  it.concurrent('answers 401 to everything', ({ onTestFinished }) => passesNothing(401, onTestFinished, {}))

  it.concurrent('answers 503 to everything', ({ onTestFinished }) => passesNothing(503, onTestFinished))

  it.concurrent('answers 204 to everything, which also acknowledges forged deliveries', ({
    onTestFinished,
  }) => passesNothing(204, onTestFinished, SAMPLE, '2 causes'))

  it('sends no response', async () => {
    const { url } = await serve(() => undefined)
    await expect(grade(url, { timeoutMs: 80 })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching('no response arrived within 80 ms'),
    })
  })

  it.concurrent.for<[string, (response: ServerResponse) => unknown]>([
    ['closes every connection', (response: ServerResponse) => response.destroy()],
    [
      'answers something other than HTTP',
      (response: ServerResponse) => response.socket?.end('SSH-2.0-OpenSSH_9\r\n'),
    ],
    [
      'answers a broken body',
      (response: ServerResponse) =>
        response.writeHead(200, { 'Content-Length': 9 }).write('short', () => response.destroy()),
    ],
  ])('%s after its first response', async ([, answer], context) => {
    let count = 0
    const { url } = await serve((__, response) => {
      count += 1
      if (count === 1) response.writeHead(401).end()
      else answer(response)
    }, context.onTestFinished)
    const report = await grade(url, SAMPLE)

    expect(passed(report)).toEqual([])
    expect(report.conclusion).toBe('not-conformant')
  })

  it('is not conformant if no case passes, even if none fails', async () => {
    const { url } = await serve((_, response) => response.writeHead(500).end())
    const report = await grade(url, { only: ['transport/method-*', 'transport/expect-100-continue'] })

    expect(report.counts).toEqual({ passed: 0, failed: 0, warning: 1, inconclusive: 3, untested: 0 })
    expect(report.conclusion).not.toBe('conformant')
  })
})

describe('a receiver that refuses with the wrong status', () => {
  it('gets one diagnosis, and an impact that is less severe than for an accepted forgery', async () => {
    const status = ({ code }: { code: number }) => (code === 401 ? 403 : code)
    const { url } = await smallReceiver({ behavior: { status } })
    const report = await grade(url)

    expect(report.diagnosis).toMatch(
      /^\d+ failures, one cause: refusals have the wrong status: a wrong signature gets 403/,
    )
    const another = report.verdicts.find((verdict) => verdict.case === 'refusals/another-secret')
    expect(another).toMatchObject({
      outcome: 'failed',
      severity: 'protocol',
      fix: expect.stringMatching(/^Answer 401 instead of 403: 401 is for a wrong signature, 400 for /),
    })
    expect(another?.impact).not.toContain('never made')
  })

  it('gets another diagnosis when its failures are accepted deliveries', async () => {
    const report = await grade((await smallReceiver({ behavior: { inWindow: () => true } })).url)
    expect(report.diagnosis).toContain('age of a delivery is not checked')
    expect(report.verdicts.find((verdict) => verdict.case === 'time-window/a-year-ago')?.impact).toContain(
      'replay',
    )
  })
})

describe('a receiver that accepts everything', () => {
  it('fails each refusal as a security problem if an attacker can cause it, and the report lists those first', async () => {
    // In any spelling of its path. About a server that answers 200 to every path, a 200 to another spelling says nothing.
    const { url } = await serve(({ request }, response) =>
      response
        .writeHead(
          /^(?:http:\/\/localhost)?\/webhooks(?:\/|\.json)?(?:\?|$)/i.test(request.url ?? '') ? 200 : 404,
        )
        .end(),
    )
    const report = await grade(`${url}/webhooks`)

    for (const id of REFUSALS)
      expect(report.verdicts.find((verdict) => verdict.case === id)).toMatchObject({
        case: id,
        outcome: 'failed',
        severity: ONLY_BY_THE_SECRET_HOLDER.test(impactOf(id)) ? 'protocol' : 'security',
      })
    expect(REFUSALS.filter((id) => !ONLY_BY_THE_SECRET_HOLDER.test(impactOf(id))).length).toBeGreaterThan(40)
    const text = renderTerminal(report)
    const listed = [...text.matchAll(/\[(security|money|protocol)\]$/gm)].map(([, severity]) => severity)
    const failures = listed.slice(0, listed.lastIndexOf('security') + 1)
    expect(failures.length).toBeGreaterThan(5)
    expect(new Set(failures)).toEqual(new Set(['security']))
  })
})

describe('a response that is not a refusal', () => {
  it.concurrent('503 to forged and stale deliveries passes no refusal case', ({ onTestFinished }) =>
    refusesNothing(503, onTestFinished))

  it('a closed connection passes no refusal case', async () => {
    const report = await grade((await smallReceiver({ behavior: { status: () => 0 } })).url, SAMPLE)

    expect(byStatus(...CLOSED).filter((id) => passed(report).includes(id))).toEqual([])
    expect(passed(report)).toContain('transport/posted-as-json')
    expect(report.diagnosis).toBeNull()
  })

  it('no response passes no refusal case', async () => {
    const { url } = await smallReceiver({ behavior: { status: () => -1 } })
    const only = ['refusals/another-secret', 'signature-header/absent', 'time-window/a-year-*']
    const report = await grade(url, { timeoutMs: 150, only })

    expect(report.verdicts.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed'])
  })

  it('a refusal passes no case if the control is refused too', async () => {
    const { url } = await smallReceiver({ behavior: { inWindow: () => false } })
    const report = await grade(url, { only: ['time-window/a-year-*', 'time-window/at-zero'] })

    expect(passed(report)).toEqual([])
  })
})

describe('an error that says nothing about the receiver', () => {
  it.each([404, 405])('%i means that there is no endpoint', async (status) => {
    const { url } = await serve((_, response) => response.writeHead(status).end())
    const { code, message } = await failureOf(grade(`${url}/somewhere`))

    expect(code).toBe('no_endpoint')
    expect(message).toContain(`${url}/somewhere answered ${status}`)
  })

  it('a port on which nothing listens is unreachable', async () => {
    const port = await freePort()
    const { code, message } = await failureOf(grade(`http://127.0.0.1:${port}/webhooks`))

    expect(code).toBe('unreachable')
    expect(message).toContain(`http://127.0.0.1:${port}/webhooks`)
  })

  it('names the receiver or the observe URL, whichever is unreachable', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`
    const both = await failureOf(grade(`${dead}/webhooks`, { observe: `${dead}/observe` }))
    expect(both).toMatchObject({ code: 'unreachable' })
    expect(both.message).toContain(`could not reach ${dead}/webhooks: the connection was refused`)

    const { url } = await smallReceiver()
    const observer = await failureOf(grade(url, { observe: `${dead}/observe` }))
    expect(observer).toMatchObject({ code: 'unreachable' })
    expect(observer.message).toContain(`could not reach the observe URL ${dead}/observe: `)
  })

  const shown = (response: ServerResponse) => response.end('{"effects":[]}')

  it('says so when a receiver serves one connection at a time, which the observer keeps open', async () => {
    const server = createServer((request, response) => {
      if (request.method === 'GET') shown(response)
      else request.resume().on('end', () => response.end())
    })
    let before: Promise<unknown> = Promise.resolve()
    const { url } = await serveRaw((socket) => {
      const turn = before
      before = new Promise((resolve) => socket.once('close', resolve))
      void turn.then(() => server.emit('connection', socket))
    })
    const { code, message } = await failureOf(grade(url, { observe: `${url}/observe`, timeoutMs: 300 }))

    expect(code).toBe('unreachable')
    expect(message).toContain('does not respond while another connection to the receiver is open')
  })

  it('does not say so when a receiver is only slow to start', async () => {
    let posts = 0
    const { url } = await serve(({ request }, response) => {
      if (request.method === 'GET') return shown(response)
      posts += 1
      return posts === 1 ? undefined : response.end()
    })
    const { message } = await failureOf(grade(url, { observe: `${url}/observe`, timeoutMs: 300 }))

    expect(message).toContain('no response arrived within 300 ms')
  })

  const raw: [string, string | undefined][] = [
    ['closes the connection', undefined],
    ['does not speak HTTP', '220 mail.example ESMTP\r\n'],
  ]
  it.each(raw)('a server that %s is unreachable', async (_, expected) => {
    const { url } = await serveRaw((socket) => {
      if (expected === undefined) socket.destroy()
      else socket.end(expected)
    })
    expect((await failureOf(grade(url))).code).toBe('unreachable')
  })

  it.each<[string, Partial<CheckOptions>, names: string[], message: string]>([
    [
      'a URL of another scheme',
      { url: 'ftp://127.0.0.1/webhooks' },
      ['url'],
      '"url" must be an http or https URL such as http://localhost:3000/webhooks, not "ftp://127.0.0.1/webhooks"',
    ],
    [
      'a URL with a password',
      { url: 'http://user:word@127.0.0.1/webhooks' },
      ['url', 'headers'],
      '"url" must not contain a user name or password: use "headers" with an Authorization header instead',
    ],
    [
      'an observe URL that is not a URL',
      { observe: 'nowhere' },
      ['observe'],
      '"observe" must be an http or https URL such as http://localhost:3000/webhooks, not "nowhere"',
    ],
    [
      'no secret',
      { secret: ' ' },
      ['secret'],
      '"secret" must not be empty: use the signing secret of the receiver',
    ],
    [
      'two ways to observe',
      { observe: 'http://127.0.0.1/observe', observeCommand: 'cat' },
      ['observe', 'observeCommand'],
      'use either "observe" or "observeCommand", not both',
    ],
    ['a timeout of zero', { timeoutMs: 0 }, ['timeoutMs'], '"timeoutMs" must be at least 1, not 0'],
    [
      'a concurrency that is not a number',
      { concurrency: Number.NaN },
      ['concurrency'],
      '"concurrency" must be at least 1, not NaN',
    ],
    [
      'a header with a line break',
      { headers: [['X-Env', 'a\r\nX-Other: b']] },
      ['headers'],
      '"headers": the value of "X-Env" must not contain a line break or a character outside ASCII',
    ],
    [
      'a header that cannot be sent',
      { headers: [['X-Env', '€']] },
      ['headers'],
      '"headers": the value of "X-Env" must not contain a line break or a character outside ASCII',
    ],
    [
      'a header without a name',
      { headers: [['', 'b']] },
      ['headers'],
      '"headers": "" is not a valid header name',
    ],
    [
      'a signature header that is not a name',
      { signatureHeader: 'X Signature' },
      ['signatureHeader'],
      '"signatureHeader": "X Signature" is not a valid header name',
    ],
  ])('%s is a bad option', async (_, options, names, message) => {
    const error = await failureOf(grade('http://127.0.0.1:9/', options))
    expect({ code: error.code, names: error.names, message: error.message }).toEqual({
      code: 'bad_option',
      names,
      message,
    })
  })
})

describe('one cause is reported once', () => {
  it('names the signing secret when only that seems to be wrong', async () => {
    const report = await grade((await smallReceiver({ behavior: { keys: () => ['whsec_another'] } })).url)

    expect(passed(report)).toEqual([])
    expect(report.diagnosis).toContain('signing secret')
    expect(renderTerminal(report, { short: true }).trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  })

  it('names the redirect', async () => {
    const { url } = await serve((_, response) => response.writeHead(308, { Location: '/elsewhere' }).end())
    expect((await grade(url, { only: ['transport'] })).diagnosis).toContain('redirect')
  })

  it.each(['robustness/not-json', 'robustness'])(
    'reports that a receiver stopped answering: %s',
    async (only) => {
      const receiver = await smallReceiver({
        behavior: {
          gate(request, body) {
            if (body.length > 0 && !body.toString().startsWith('{')) receiver.stop()
            return CORRECT.gate(request, body)
          },
        },
      })
      const report = await grade(receiver.url, { only: [only] })

      expect(report.verdicts.find(({ case: id }) => id === 'robustness/not-json')?.outcome).toBe('failed')
      expect(report.conclusion).toBe('not-conformant')
      expect(report.diagnosis).toContain('stopped answering')
    },
  )
})

describe('a receiver that never accepts passes no case, whatever the status', () => {
  it.concurrent.for([302, 400, 403, 429, 500])('answers %i to everything', (status, { onTestFinished }) =>
    passesNothing(status, onTestFinished),
  )
})

describe('another response that is not a refusal', () => {
  it.concurrent.for([404, 429, 500])(
    '%i to forged and stale deliveries passes no refusal case',
    (status, context) => refusesNothing(status, context.onTestFinished),
  )
})
