import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { serve } from '../servers.ts'

// GitHub sends X-Hub-Signature, by SHA-1, beside X-Hub-Signature-256.
const SECRET = 'correct horse battery staple'
const shaOne = (body: Buffer) => `sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`
const present = (body: Buffer) => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
const older = (headers: IncomingHttpHeaders) => String(headers['x-hub-signature'] ?? '')
const newer = (headers: IncomingHttpHeaders) => String(headers['x-hub-signature-256'] ?? '')

/** What does not pass of a receiver that verifies like this. */
async function foundIn(isValid: (headers: IncomingHttpHeaders, body: Buffer) => boolean, says = '') {
  const { url } = await serve(({ request, body }, response) => {
    const isAccepted = request.method === 'POST' && isValid(request.headers, body)
    response.writeHead(isAccepted ? 204 : 401).end(isAccepted ? '' : says && `${says} ${shaOne(body)}`)
  })
  const only = ['signature', 'disclosure', 'transport/valid', 'body/one-digit-altered', 'robustness/alive-*']
  return check({ url, service: 'github', secret: SECRET, only })
}

const outcomes = ({ verdicts }: Awaited<ReturnType<typeof foundIn>>) =>
  verdicts.filter(({ outcome }) => outcome !== 'passed').map(({ case: id, outcome }) => `${id}: ${outcome}`)

describe('a receiver of GitHub’s older header', { timeout: 60_000 }, () => {
  it('is conformant when it verifies that one alone, and is warned that it is the older one', async () => {
    const report = await foundIn((headers, body) => older(headers) === shaOne(body))
    expect(outcomes(report)).toEqual(['signature/sha-1-alone: warning'])
    const [warning] = report.verdicts.filter(({ case: id }) => id === 'signature/sha-1-alone')
    expect(warning?.fix).toBe('Verify X-Hub-Signature-256 instead, and ignore X-Hub-Signature.')
    expect(report.conclusion).toBe('conformant')
  })

  it('is conformant when it verifies both', async () => {
    const both = (headers: IncomingHttpHeaders, body: Buffer) =>
      older(headers) === shaOne(body) && newer(headers) === present(body)
    expect((await foundIn(both)).conclusion).toBe('conformant')
  })

  it('fails when it compares a part, or shows what it expects', async () => {
    const begins = await foundIn((headers, body) => older(headers).slice(0, 13) === shaOne(body).slice(0, 13))
    expect(outcomes(begins)).toContain('signature/signature-cut-in-half: failed')
    const shows = await foundIn((headers, body) => older(headers) === shaOne(body), 'expected')
    expect(outcomes(shows)).toContain('disclosure/no-expected-signature-in-a-refusal: failed')
  })
})
