import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { EXAMPLE_SECRETS } from '../../../../conformance/contracts/webhook/families/secret-forms.ts'
import { renderJson } from '../../../../conformance/report/json.ts'
import { renderJunit } from '../../../../conformance/report/junit.ts'
import { redactor } from '../../../../conformance/report/redact.ts'
import { renderTerminal } from '../../../../conformance/report/terminal/terminal.ts'
import type { ConformanceReport } from '../../../../schemas/types.ts'
import { validate } from '../../../../schemas/validate.ts'
import { serve } from '../../servers.ts'
import { SECRET } from '../../support.ts'

const outputsOf = (report: ConformanceReport) => ({
  json: renderJson(report),
  junit: renderJunit(report),
  terminal: renderTerminal(report),
})

describe('a report redacts what a response repeats', () => {
  const headers = [
    ['Authorization', 'Bearer tok_of_the_staging_server'],
    ['X-Pin', '94711'],
  ] as const
  /** Accepts everything, and discloses all that it knows, in every place and encoding. */
  async function chatterbox() {
    const macs: Buffer[] = []
    let count = 0
    const { url } = await serve(({ request, body }, response) => {
      const t = /t=(\d+)/.exec(String(request.headers['x-service-signature']))?.[1] ?? ''
      const mac = createHmac('sha256', SECRET).update(`${t}.`).update(body).digest()
      macs.push(mac)
      const hex = mac.toString('hex')
      const secret = Buffer.from(SECRET)
      const all = [
        hex,
        `expected_${hex}`,
        hex.toUpperCase(),
        `${hex}zz`,
        mac.toString('base64'),
        mac.toString('base64url'),
        `v1=${hex}`,
        SECRET,
        SECRET.toUpperCase(),
        secret.toString('base64'),
        secret.toString('base64').replaceAll('=', ''),
        secret.toString('hex'),
        JSON.stringify(request.headers),
        '\u0000\b\u001b[31m',
      ]
      // The part that a report shows ends somewhere inside a secret.
      count += 1
      const [before, word = ''] = ['.'.repeat(4096 - (count % 70)), all[count % all.length]]
      const line = '.'.repeat(512 - (count % 70))
      for (const [place, text] of all.slice(0, 12).entries()) response.setHeader(`X-Echo-${place}`, text)
      response.setHeader('X-Cut', `${line}${word.replace(/[^ -~]/g, '')}`)
      response.setHeader('X-Authorization', String(request.headers['authorization']))
      response.end(count % 3 === 0 ? `${before}${word}` : all.join('\n'))
    })
    return { url, macs }
  }

  it('hides the secret, every signature and the values of the user’s headers', async () => {
    const { url, macs } = await chatterbox()
    const only = ['disclosure', 'refusals', 'robustness/not-json']
    const report = await check({ url, secret: SECRET, headers, profile: 'core', timeoutMs: 5_000, only })
    expect(
      report.verdicts.some(({ case: id, outcome }) => id.startsWith('disclosure/') && outcome === 'failed'),
    ).toBe(true)

    const secret = Buffer.from(SECRET)
    const words = [SECRET, secret.toString('base64').slice(0, 16), secret.toString('hex').slice(0, 16)]
    const values = headers.flatMap(([, value]) => value.split(' ')).filter((value) => value !== 'Bearer')
    const signatures = macs.flatMap((mac) => [
      mac.toString('hex').slice(0, 12),
      mac.toString('hex').slice(-12),
      mac.toString('base64').slice(0, 12),
      mac.toString('base64url').slice(-12),
    ])
    const isSignature = /^[\w+/-]{12}$/
    expect(signatures.filter((part) => !isSignature.test(part))).toEqual([])
    for (const [name, text] of Object.entries(outputsOf(report))) {
      const low = text.toLowerCase()
      // All that can have a part of a signature: there are a thousand parts, and megabytes of text.
      const runs = [...new Set(low.match(/[\w+/-]{12,}/g))].join('\n')
      const shown = [
        ...[...words, ...values].filter((word) => low.includes(word.toLowerCase())),
        ...signatures.filter((part) => runs.includes(part.toLowerCase())),
      ]
      expect([name, shown]).toEqual([name, []])
      expect([name, /[0-9a-f]{40}/i.exec(text)?.[0]]).toEqual([name, undefined])
      const secrets = text.match(/whsec_[a-z_]{4,}/gi) ?? []
      expect([name, secrets.filter((word) => !EXAMPLE_SECRETS.includes(word))]).toEqual([name, []])
    }
    expect(validate('report', JSON.parse(renderJson(report)))).toEqual([])
  })

  it('shows the rest of the response', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(401, { 'X-Hint': 'look at deadbeef' }).end('{"error":"wrong signature"}'),
    )
    const [verdict] = (await check({ url, secret: SECRET, only: ['transport/posted-as-json'] })).verdicts
    const [exchange] = verdict?.exchanges ?? []
    expect(exchange?.answer).toMatchObject({
      status: 401,
      headers: expect.arrayContaining([['X-Hint', 'look at deadbeef']]),
      body: { text: '{"error":"wrong signature"}', bytes: 27, truncated: false },
    })
    expect(exchange?.delivery.headers.find(([name]) => name === 'X-Service-Signature')?.[1]).toMatch(
      /^t=\d+,v1=[0-9a-f]{8}\.\.\.$/,
    )
  })
})

describe('captured text that contains the signing secret in a rare encoding', () => {
  it.each([
    ['a list of numbers', JSON.stringify([...Buffer.from(SECRET)])],
    ['printed bytes', inspect(Buffer.from(SECRET))],
    ['the references of HTML', [...Buffer.from(SECRET)].map((byte) => `&#${byte};`).join('')],
  ])('is not shown: %s', (_, text) => {
    expect(redactor(SECRET)(`The key is ${text}.`)).toBe('[not shown: it contains the signing secret]')
  })
})
