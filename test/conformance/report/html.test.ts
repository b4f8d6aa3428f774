import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { GRADES } from '../../../conformance/report/grade.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { HOSTILE, hostileReport, madeExchange, madeFailure, madeReport, madeVerdict } from './made.ts'

const failure = madeFailure('refusals/empty-key', 'security', {
  impact: 'Anyone can pay with nothing.',
  fix: 'Refuse an empty key.',
})
const report = madeReport([
  failure,
  madeVerdict({ case: 'events/known' }),
  madeVerdict({ case: 'events/more' }),
])

/** Roughly the text that a browser shows. */
const shown = (html: string) =>
  html
    .replace(/<(style|script)>[^]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(lt|gt|quot|#39|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"' })[name] ?? (name === 'amp' ? '&' : "'"),
    )

describe('HTML', () => {
  it('shows every detail of a case', () => {
    const html = renderHtml(report)
    const start = html.indexOf('<details id="case-refusals/empty-key"')
    const text = shown(html.slice(start, html.indexOf('<section', start)))
    const [exchange] = failure.exchanges
    for (const part of [
      failure.spec.sentence,
      failure.impact,
      failure.fix,
      failure.reproduce ?? 'nothing',
      'the delivery is refused',
      'status 200',
      'POST /webhooks\nX-Service-Signature: t=1750000000,v1=0123abcd...',
      exchange?.delivery.body.text ?? 'nothing',
      '200\nX-Powered-By: a test',
      'thanks',
    ])
      expect(text).toContain(part)
  })

  it('shows the conclusion, the grade with its rule, and all rules', () => {
    const text = shown(renderHtml(report))
    expect(text).toContain('Not conformant in the full profile: 2 passed, 1 failed of 3 cases in 0.41 s.')
    expect(text).toContain('Grade F: A security requirement failed.')
    for (const { rule } of GRADES) expect(text).toContain(rule)
  })

  it('loads nothing, and allows only its own style and script', () => {
    const html = renderHtml(report)
    const hashOf = (tag: string) => {
      const source = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? ''
      return `'sha256-${createHash('sha256').update(source).digest('base64')}'`
    }
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
    expect(policy).toBe(
      `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; base-uri 'none'; form-action 'none'`,
    )
    expect(html).not.toMatch(/\s(?:src|style|on\w+)=|<link|<img|@import|url\(/)
    expect([...html.matchAll(/href="([^"]*)"/g)].filter(([, to]) => to?.startsWith('#') !== true)).toEqual([])
  })

  it('escapes text from the receiver', () => {
    const html = renderHtml(hostileReport())
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toMatch(/\u202e|(?!\n)\p{Cc}|<!-- /u)
    expect(html).not.toContain('" onload')
    const tags = (text: string) => [...text.matchAll(/<\/?([\w!]+)/g)].map(([, name]) => name)
    for (const name of ['details', 'pre', 'section', 'p', 'dd', 'option'])
      expect([name, tags(html).filter((tag) => tag === name).length % 2]).toEqual([name, 0])
    expect(shown(html)).toContain(HOSTILE.replace('\u202e', '\\u{202e}').replace('\u0007', '\\u{7}'))
  })

  it('cites the contract of another service, with what the service states', () => {
    const spec = {
      number: '6',
      sentence: 'A receiver MUST verify.',
      contract: 'Stripe 1.0',
      source: 'As it states.',
    }
    const text = shown(renderHtml(madeReport([madeVerdict({ spec })])))
    expect(text).toContain('Stripe 1.0, 6: A receiver MUST verify.As it states.')
    expect(text).not.toContain('SPEC.md')
  })

  it('has unique ids, and links only to them', () => {
    const html = renderHtml(report)
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...html.matchAll(/href="#([^"]*)"/g)].map(([, to]) => to)
    expect(links).toContain('case-refusals/empty-key')
    expect(links.filter((to) => !ids.includes(to))).toEqual([])
  })

  it('shows each cause once, after the conclusion, with its fix, the code that helps and links to its cases', () => {
    const cause = { code: 'body_trimmed', sentence: 'It trims.', fix: 'Keep `all`.', cases: [failure.case] }
    const other = { ...cause, code: 'no_window', sentence: 'It waits.' }
    const html = renderHtml(
      madeReport([failure, madeVerdict()], {
        causes: [cause, other],
        diagnosis: '1 failure, 2 causes: it trims (1 failure); it waits (1 failure).',
        diagnosisInBrief: '1 failure, 2 causes.',
        framework: 'go',
      }),
    )
    const order = [
      '<h1>',
      'It trims.',
      'Keep <code>all</code>.',
      'Example in Go',
      '<pre class="code" data-copy',
      '#case-refusals/empty-key',
      'It waits.',
    ]
    const places = order.map((part) => html.indexOf(part))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(html.split('It trims.')).toHaveLength(2)
    expect(html).not.toContain('Failures, most severe first')
  })

  it('shows only what did not pass at first, and of a passed case no headers and bodies', () => {
    const html = renderHtml(report)
    expect(html).toContain('value="passed" autocomplete')
    expect(html).toContain('value="failed" checked')
    expect(renderHtml(madeReport([madeVerdict()]))).toContain('value="passed" checked')
    const start = html.indexOf('<details id="case-events/known"')
    const text = shown(html.slice(start, html.indexOf('</details>', start)))
    expect(text).toContain('probe: another secret, received: 200 in 1.5 ms')
    expect(text).toContain('The JSON report has these requests and responses.')
    expect(text).not.toContain('X-Service-Signature')
  })

  it('has a labeled control for each filter, but none for outcomes that do not occur', () => {
    const form = /<form[^]*<\/form>/.exec(renderHtml(report))?.[0] ?? ''
    expect(form).toMatch(/<label>Search <input type="search" name="text"/)
    expect(form).toMatch(/<label>Section <select name="section">/)
    for (const [outcome, count] of [
      ['passed', 2],
      ['failed', 1],
    ])
      expect(form).toMatch(
        new RegExp(
          `<label><input type="checkbox" name="outcome" value="${outcome}"[^>]*> ${outcome} \\(${count}\\)</label>`,
        ),
      )
    expect(form).not.toContain('warning')
  })

  it('shows a binary body, a shortened one, and an exchange without a response', () => {
    const { delivery } = madeExchange()
    const text = shown(
      renderHtml(
        madeReport([
          madeFailure('refusals/empty-key', 'security', {
            exchanges: [
              madeExchange({
                delivery: { ...delivery, body: { text: null, base64: '/w==', bytes: 9000, truncated: true } },
                answer: null,
                error: 'the connection was closed',
              }),
            ],
          }),
        ]),
      ),
    )
    expect(text).toContain('Binary body, Base64-encoded:\n/w==')
    expect(text).toContain('body: 9000 bytes, shortened here')
    expect(text).toContain('received: the connection was closed')
  })
})
