import { describe, expect, it } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { excerpt } from '../../../conformance/report/text.ts'
import { explain } from '../../../runners/message.ts'
import { validate } from '../../../schemas/validate.ts'
import { serve } from '../servers.ts'
import { SECRET } from '../support.ts'

describe('the excerpt of a response body', () => {
  it.each([
    ['an ordinary text', 'invalid signature', 'invalid signature'],
    [
      'several lines',
      '<title>Error</title>\r\n\t<pre>Cannot POST /x</pre>\n',
      '<title>Error</title> <pre>Cannot POST /x</pre>',
    ],
    ['control characters', 'a\u0000b\u001b[31mc\u007f', 'a\\u{0}b\\u{1b}[31mc\\u{7f}'],
    ['a changed text direction', 'a\u202eb', 'a\\u{202e}b'],
  ])('is one visible line: %s', (_, body, shown) => {
    expect(excerpt(body)).toBe(shown)
  })

  it('has at most 300 bytes, and no half character', () => {
    expect(excerpt('x'.repeat(300))).toBe('x'.repeat(300))
    expect(excerpt('x'.repeat(301))).toBe(`${'x'.repeat(300)}...`)
    expect(excerpt(`x${'ä'.repeat(200)}`)).toBe(`x${'ä'.repeat(149)}...`)
  })

  it('does not exist for an empty body', () => {
    expect(excerpt('')).toBeUndefined()
    expect(excerpt(' \r\n')).toBeUndefined()
  })
})

describe('the body of the response that shows a problem', () => {
  it('stands in every report, without secrets', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(400).end(`{"error":"expected\n${SECRET} <b>&</b>",\u0007"token":"staging-token"}`),
    )
    const report = await check({
      url,
      secret: SECRET,
      headers: [['Authorization', 'Bearer staging-token']],
      only: ['transport/posted-as-json'],
    })
    const [verdict] = report.verdicts
    if (verdict === undefined) throw new Error('nothing was graded')
    const body = '{"error":"expected [signing secret] <b>&</b>",\\u{7}"token":"[not shown]"}'

    expect(validate('report', report)).toEqual([])
    expect(verdict.problems).toEqual([expect.objectContaining({ received: 'status 400', body })])
    expect(renderTerminal(report)).toContain(`    Body      ${body}\n`)
    expect(explain(verdict, report, true)).toContain(`  Body      ${body}\n`)
    expect(renderJunit(report)).toContain(`Body: ${body}`)
    expect(renderMarkdown(report)).toContain(`  Body: \`${body}\`\n`)
    expect(renderHtml(report)).toContain(
      '<dt>Body</dt><dd><code>{&quot;error&quot;:&quot;expected [signing secret] &lt;b&gt;',
    )
  })
})
