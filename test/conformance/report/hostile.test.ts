import { describe, expect, it, test } from 'vitest'
import { startCommand } from '../../../cli/commands/check/start-command.ts'
import { check } from '../../../conformance/check.ts'
import { renderBadge } from '../../../conformance/report/badge.ts'
import { renderHtml } from '../../../conformance/report/html/html.ts'
import { renderJson } from '../../../conformance/report/json.ts'
import { renderJunit } from '../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../conformance/report/terminal/terminal.ts'
import { explain } from '../../../runners/message.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { validate } from '../../../schemas/validate.ts'
import { freePort, hookproof, testIo } from '../../cli/support.ts'
import { serve } from '../servers.ts'
import { SECRET } from '../support.ts'
import { markedUp } from './made.ts'
import { parseXml } from './xml.ts'

/** What harms a terminal, a page, a document, or the log of a job. */
const COMMANDS = ['::add-mask::x', '##[add-mask]x', '##vso[task.complete]x', '##teamcity[x]']
const MARKUP = ['<img src=x onerror=alert(1)>', '</pre><script>alert(1)</script>', ']]><x/>', '</testsuites>']
const MARKDOWN = [
  '![x](https://x.example)',
  '[x](javascript:alert(1))',
  '@everyone',
  '`code`',
  '| a | b |',
  '# x',
]
const CONTROLS = [
  '\u001b[2J',
  '\u0007',
  '\b',
  '\r',
  '\u0000',
  '\u009b2J',
  '\u009d0;x\u009c',
  '\u202e',
  '\u2066',
  '\u2028',
  '\u{e0041}',
]
const HARM = [...CONTROLS, ...COMMANDS, ...MARKUP, ...MARKDOWN]
/** In what a header may have. */
const IN_HEADER = HARM.map((text) => text.replace(/[^\u0020-\u007e\u0080-\u00ff]/g, '')).join(' ')

/** Accepts everything, shows its secret as the name of a header, and answers with all that harms. */
const hostile = (observed: (call: number) => { encoding?: string; json: unknown }) => {
  let calls = 0
  return serve(({ request }, response) => {
    if (request.method === 'GET' && request.url?.startsWith('/observe') === true) {
      const { encoding, json } = observed((calls += 1))
      if (encoding !== undefined) response.setHeader('Content-Encoding', encoding)
      response.end(JSON.stringify(json))
      return
    }
    response.statusMessage = IN_HEADER
    response.setHeader('X-Harm', IN_HEADER)
    response.setHeader(`X-${SECRET}`, 'yes')
    response.end(HARM.map((text) => `${text}\n${text}`).join('\n'))
  })
}

const rendered = (report: ConformanceReport): [name: string, text: string][] => [
  ['terminal', renderTerminal(report)],
  ['short terminal', renderTerminal(report, { short: true, columns: 40 })],
  ['json', renderJson(report)],
  ['junit', renderJunit(report)],
  ['html', renderHtml(report)],
  ['markdown', renderMarkdown(report)],
  ['badge', renderBadge(report)],
  [
    'annotations',
    [report, { ...report, causes: [] }]
      .flatMap((one) => one.verdicts.map((verdict) => explain(verdict, one, true)))
      .join('\n'),
  ],
]

/** In the queries of the receiver and of what is observed: no report shows it. */
const TOKEN = 'tok_5f1c07be9f3a'

/** What a text has that it must not have, whatever its format. */
const harmIn = (text: string): string[] => [
  ...new Set(
    text.match(
      /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s*::add-mask.*|##(?:\[|vso\[|teamcity\[).{0,20}|whsec_of_\w{4}|tok_5f/gimu,
    ) ?? [],
  ),
]

const SAFE = { json: { effects: [] } }
const OBSERVED: readonly [name: string, observed: Parameters<typeof hostile>[0]][] = [
  ['an unknown content encoding', (call) => (call < 3 ? SAFE : { encoding: IN_HEADER, json: {} })],
  [
    'names that are no effects',
    (call) => (call < 3 ? SAFE : { json: Object.fromEntries(HARM.map((text) => [text, text])) }),
  ],
  ['its secret as a content encoding, from the first time', () => ({ encoding: SECRET, json: {} })],
  ['its secret as a content encoding', (call) => (call < 3 ? SAFE : { encoding: SECRET, json: {} })],
  [
    'its secret as names and values',
    (call) => (call < 3 ? SAFE : { json: { [SECRET]: SECRET, effects: [{ event: SECRET, [SECRET]: 1 }] } }),
  ],
  ['no effects, from the first time', () => ({ json: SECRET })],
  [
    'an event and an endless amount',
    (call) =>
      call < 3
        ? SAFE
        : {
            json: {
              effects: [
                { event: HARM.join('\n'), effect: 'fulfilled', amount: '1'.repeat(50_000), currency: 'USD' },
              ],
            },
          },
  ],
]

describe.each(OBSERVED)('a report of a hostile receiver that shows %s', (_, observed) => {
  it('is safe to print, to open and to paste in every format', { timeout: 60_000 }, async () => {
    const { url } = await hostile(observed)
    const only = ['disclosure', 'refusals/empty-key', 'transport/posted-as-json', 'effects/partial-*']
    const query = `?token=${TOKEN}`
    const options = {
      url: `${url}/webhooks${query}`,
      observe: `${url}/observe${query}`,
      secret: SECRET,
      only,
    }
    const report = await check({ ...options, waitMs: 100 }).catch((error: Error) => error)
    if (report instanceof Error) {
      expect(harmIn(report.message)).toEqual([])
      expect(report.message.length).toBeLessThan(4_000)
      return
    }
    expect(report.counts.failed).toBeGreaterThan(0)
    for (const [name, text] of rendered(report)) expect([name, harmIn(text)]).toEqual([name, []])
    expect(JSON.parse(renderJson(report))).toEqual(report)
    expect(validate('report', report)).toEqual([])
    parseXml(renderJunit(report))
    const html = renderHtml(report)
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toMatch(/<img|<x\/>/)
    expect(markedUp(renderMarkdown(report))).toEqual([])
    const ids = report.verdicts.filter(({ outcome }) => outcome === 'failed').map((verdict) => verdict.case)
    expect(ids).toContain('disclosure/no-secret-in-any-response')
    expect(
      Math.max(...report.verdicts.flatMap(({ problems }) => problems.map(({ received }) => received.length))),
    ).toBeLessThan(4_000)
  })
})

test('the signing secret in the name of a header fails 11.1 in every response of the run, and is not shown', async () => {
  const { url } = await serve(({ request }, response) => {
    const isControl = request.headers['x-service-signature'] !== undefined
    response.writeHead(isControl ? 200 : 401, { [`X-${SECRET.toUpperCase()}`]: 'x' }).end()
  })
  const only = ['disclosure/no-secret-in-any-response']
  const report = await check({ url, secret: SECRET, only, profile: 'core' })
  expect(report.verdicts[0]).toMatchObject({ outcome: 'failed', spec: { number: '11.1' } })
  expect(renderJson(report)).toContain('X-[signing secret]')
  expect(harmIn(renderJson(report))).toEqual([])
})

test('what a started receiver prints is safe in the messages about its end', async () => {
  const { io, stderr } = testIo()
  const url = new URL(`http://127.0.0.1:${await freePort()}`)
  const source = `process.stdout.write(${JSON.stringify(COMMANDS.join(' '))}); process.exit(3)`
  const command = `${JSON.stringify(process.execPath)} -e '${source.replaceAll("'", `'\\''`)}'`
  const started = startCommand(command, {
    url,
    secret: SECRET,
    cwd: '.',
    env: io.env,
    stderr: io.stderr,
    onSpawn: () => undefined,
  })
  const message = await started.then(String, (error: Error) => error.message)
  expect(harmIn(message)).toEqual([])
  expect(harmIn(stderr())).toEqual([])
})

test('hookproof send prints a hostile response safely', async () => {
  const { url } = await hostile(() => SAFE)
  const { stdout, stderr } = await hookproof(['send', 'payment.completed', `${url}/webhooks`], {
    env: { HOOKPROOF_SECRET: SECRET },
  })
  expect(stdout).toContain('< 200')
  expect(harmIn(`${stdout}${stderr}`)).toEqual([])
})

test.each([[[]], [['--json']]])(
  'hookproof load prints nothing that a hostile receiver sent: %j',
  async (more) => {
    const { url } = await hostile(() => SAFE)
    const args = ['load', `${url}/webhooks`, '--duration', '0.3', '--connections', '2', ...more]
    const { code, stdout, stderr } = await hookproof(args, { env: { HOOKPROOF_SECRET: SECRET } })
    expect(code).toBe(0)
    expect(harmIn(`${stdout}${stderr}`)).toEqual([])
  },
)
