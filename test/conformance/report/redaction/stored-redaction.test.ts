import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { renderBadge } from '../../../../conformance/report/badge.ts'
import { renderHtml } from '../../../../conformance/report/html/html.ts'
import { renderMarkdown } from '../../../../conformance/report/markdown.ts'
import { serve } from '../../servers.ts'
import { SECRET } from '../../support.ts'

/** Text with the character references of HTML and Markdown resolved: escaping must not hide a secret from this test. */
const resolved = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))).replaceAll('&amp;', '&')

it('a page, a summary and a badge contain neither the secret nor a complete signature', async () => {
  const macs: string[] = []
  const { url } = await serve(({ request, body }, response) => {
    const t = /t=(\d+)/.exec(String(request.headers['x-service-signature']))?.[1] ?? ''
    const mac = createHmac('sha256', SECRET).update(`${t}.`).update(body).digest('hex')
    macs.push(mac)
    response.setHeader('X-Expected', mac)
    response.end(`the secret is ${SECRET}, the signature ${mac}`)
  })
  const only = ['disclosure/no-*-in-a-*', 'refusals/hmac-*']
  const report = await check({ url, secret: SECRET, profile: 'core', timeoutMs: 5_000, only })
  expect(macs.length).toBeGreaterThan(10)
  expect(resolved(renderHtml(report))).toContain('the secret is [signing secret], the signature ')
  for (const [name, render] of Object.entries({ renderHtml, renderMarkdown, renderBadge })) {
    const text = resolved(render(report))
    expect([name, text.includes(SECRET)]).toEqual([name, false])
    expect([name, macs.filter((mac) => text.includes(mac.slice(0, 12)))]).toEqual([name, []])
  }
})
