import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECTIONS } from '../../conformance/catalogue/index.ts'
import { type CheckOptions, check } from '../../conformance/check.ts'
import { renderJson } from '../../conformance/report/json.ts'
import { renderJunit } from '../../conformance/report/junit.ts'
import { renderTerminal } from '../../conformance/report/terminal.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import { validate } from '../../schemas/validate.ts'
import { CORRECT, nameOf, type Setting, smallReceiver } from './small-receiver.ts'
import { SECRET, serve } from './support.ts'
import { parseXml } from './xml.ts'

const grade = async (setting: Setting, options: Partial<CheckOptions> = {}) => {
  const { url, observe } = await smallReceiver(setting)
  return check({ url, observe, secret: SECRET, timeoutMs: 5_000, waitMs: 400, ...options })
}
/** Wrong in each of the three ways that a report tells apart. */
const wrong: Setting = {
  behaviour: {
    same: () => true,
    dislike: (event) => (nameOf(event) === 'payment.expired' ? 422 : undefined),
    effectOf: (event, before) =>
      nameOf(event) === 'payment.refunded' ? undefined : CORRECT.effectOf(event, before),
  },
}
const some = [
  'refusals',
  'events/expired',
  'effects/refund-reverses',
  'effects/chargeback-reverses',
  'transport',
]
const failedIn = ({ verdicts }: ConformanceReport) => verdicts.filter(({ outcome }) => outcome === 'failed')
const outputsOf = (report: ConformanceReport) => ({
  json: renderJson(report),
  junit: renderJunit(report),
  terminal: renderTerminal(report),
})

/** One report for all who only read it. */
let graded: ConformanceReport
let stop: () => void | Promise<void>
beforeAll(async () => {
  graded = await grade({ ...wrong, finished: (clear) => (stop = clear) }, { only: some })
})
afterAll(() => stop())

describe('a report is valid under its schema', () => {
  it.concurrent.for<[string, Setting, Partial<CheckOptions>]>([
    ['of a conformant receiver', {}, {}],
    ['of one that accepts nothing', { behaviour: { keys: () => ['whsec_another'] } }, { profile: 'core' }],
    ['of one that drops connections', { behaviour: { status: () => 0 } }, { profile: 'core' }],
    ['of a clock that is wrong', { aheadSeconds: 500 }, { only: some }],
    ['in live mode', {}, { mode: 'live', only: [...some, 'events'] }],
    ['of a part', {}, { only: ['duplicates/*'], skip: ['duplicates/growing-partials'] }],
    ['of a receiver that was started', wrong, { started: true, only: ['refusals/empty-key'] }],
  ])('%s', async ([, setting, options], { onTestFinished: finished }) => {
    const report = await grade({ ...setting, finished }, options)
    expect(validate('report', JSON.parse(renderJson(report)))).toEqual([])
  })

  it('of a run without an observer', async () => {
    const { url } = await smallReceiver()
    const report = await check({ url, secret: SECRET, profile: 'full', only: ['effects'] })
    expect(validate('report', JSON.parse(renderJson(report)))).toEqual([])
    expect(report.counts).toMatchObject({ untested: report.verdicts.length, passed: 0 })
  })

  it('and counts what it lists', () => {
    for (const outcome of ['passed', 'failed', 'advised', 'untested'] as const)
      expect(graded.verdicts.filter((verdict) => verdict.outcome === outcome)).toHaveLength(
        graded.counts[outcome],
      )
    expect(graded.selection).toEqual({ only: some, skip: [] })
  })
})

describe('what an answer repeats is not repeated by a report', () => {
  const headers = [
    ['Authorization', 'Bearer tok_of_the_staging_server'],
    ['X-Pin', '94711'],
  ] as const
  /** Accepts everything, and says all that it knows, in every place and spelling. */
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
      // The part that a report shows ends somewhere within a secret.
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

  it('neither the secret nor a signature nor what the user’s headers say', async () => {
    const { url, macs } = await chatterbox()
    const only = ['disclosure', 'refusals', 'time-window', 'robustness/not-json']
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
    for (const [name, text] of Object.entries(outputsOf(report))) {
      const low = text.toLowerCase()
      const shown = [...words, ...values, ...signatures].filter((word) => low.includes(word.toLowerCase()))
      expect([name, shown]).toEqual([name, []])
      expect([name, /[0-9a-f]{40}/i.exec(text)?.[0]]).toEqual([name, undefined])
      expect([name, /whsec_[a-z_]{4}/i.exec(text)?.[0]]).toEqual([name, undefined])
    }
    expect(validate('report', JSON.parse(renderJson(report)))).toEqual([])
  })

  it('but the rest of the answer is there to be read', async () => {
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

describe('JUnit', () => {
  it('has a suite for each section, and its numbers are those of the report', async () => {
    const report = await grade(wrong, { profile: 'full' })
    const { name, attributes, children } = parseXml(renderJunit(report))

    expect(name).toBe('testsuites')
    expect(attributes).toMatchObject({
      tests: String(report.verdicts.length),
      failures: String(report.counts.failed),
      skipped: String(report.counts.untested),
      errors: '0',
    })
    expect(children.map((suite) => suite.attributes['name'])).toEqual(SECTIONS.map(({ id }) => id))
    for (const suite of children) {
      const own = report.verdicts.filter(({ section }) => section === suite.attributes['name'])
      expect(suite.children.map((test) => test.attributes['name'])).toEqual(own.map(({ case: id }) => id))
      const failures = suite.children.filter((test) =>
        test.children.some((child) => child.name === 'failure'),
      )
      expect(failures.map((test) => test.attributes['name'])).toEqual(
        own.filter(({ outcome }) => outcome === 'failed').map(({ case: id }) => id),
      )
    }
  })

  it('marks what is untested as skipped, with the reason', async () => {
    const { url } = await smallReceiver()
    const report = await check({ url, secret: SECRET, profile: 'full', only: ['effects/refund-reverses'] })
    const [test] = parseXml(renderJunit(report)).children[0]?.children ?? []
    expect(test?.children.map(({ name }) => name)).toEqual(['skipped', 'system-out'])
    expect(test?.children[1]?.text).toContain('--observe')
  })

  it('stays XML whatever it must tell', async () => {
    const report = await grade(wrong, { only: ['refusals/another-secret'] })
    const odd = '\u0000\b\u001b[31m ]]> <b a="1"> &amp; & \' \uFFFE \uD800 é 🎁 \r\n'
    const [verdict] = report.verdicts
    if (verdict === undefined) throw new Error('no verdict')
    const told: ConformanceReport = {
      ...report,
      verdicts: [
        { ...verdict, problems: [{ says: odd, got: odd }], consequence: odd, remedy: odd, again: odd },
        { ...verdict, case: 'refusals/other', outcome: 'untested', reason: odd },
      ],
    }
    const [suite] = parseXml(renderJunit(told)).children
    const [failure, out] = suite?.children[0]?.children ?? []
    expect(failure?.attributes['message']).toContain(']]> <b a="1"> &amp; & \'')
    expect(out?.text).toContain('<b a="1"> &amp; & \'')
    expect(out?.text).toContain('é 🎁')
  })
})

describe('the terminal', () => {
  it('tells of each failure what is right, what came, what it means and how to mend it', () => {
    const blocks = renderTerminal(graded).split('\n\n')
    expect(failedIn(graded).length).toBeGreaterThan(15)
    for (const { case: id, spec, consequence, remedy, problems, again } of failedIn(graded)) {
      const block = blocks.find((text) => text.split('\n').includes(`  ${id}`))
      const lines = block?.split('\n') ?? []
      expect(lines[0]).toContain(`${spec.number} ${spec.sentence}`)
      expect(lines).toContain(`  Means ${consequence}`)
      expect(lines).toContain(`  Mend  ${remedy}`)
      const own = lines.slice(lines.indexOf(`  ${id}`) + 1)
      const until = own.findIndex((line) => !line.startsWith('    '))
      const rows = until === -1 ? own : own.slice(0, until)
      expect(rows[0]).toMatch(/^ {4}Sent {6}\S/)
      for (const { says, got } of problems) {
        expect(rows).toContain(`    Expected  ${says}`)
        expect(rows).toContain(`    Came back ${got}`)
      }
      expect(rows.at(-1)).toBe(`    Again     ${again}`)
    }
  })

  it('puts the gravest first', () => {
    const told = [...renderTerminal(graded).matchAll(/^x .* \[(\w+)\]$/gm)].map(([, gravity]) => gravity)
    expect(new Set(told)).toEqual(new Set(['security', 'money', 'protocol']))
    expect(told).toEqual(
      ['security', 'money', 'protocol'].flatMap((gravity) => told.filter((other) => other === gravity)),
    )
  })

  it('ends with the conclusion, for what was tested and no more', async () => {
    const last = (text: string) => text.trimEnd().split('\n\n').at(-1)
    expect(last(renderTerminal(graded))).toMatch(
      new RegExp(`^Not conformant in the ${graded.verdicts.length} cases selected: `),
    )
    expect(last(renderTerminal(await grade({}, { profile: 'core' })))).toMatch(
      /^Conformant in the core profile: /,
    )
  })

  it('has colours only where they are asked for', () => {
    expect(renderTerminal(graded)).not.toContain('\u001b')
    expect(renderTerminal(graded, { color: false })).toBe(renderTerminal(graded))
    const coloured = renderTerminal(graded, { color: true })
    expect(coloured).toContain('\u001b[')
    expect(stripVTControlCharacters(coloured)).toBe(renderTerminal(graded))
  })
})

describe('the command that sends a case again', () => {
  /** Lets a shell take the command apart. */
  const wordsOf = async (command: string | null | undefined): Promise<string[]> => {
    expect(command).toMatch(/^npx hookproof /)
    const { stdout } = await promisify(execFile)('/bin/sh', [
      '-c',
      `printf '%s\\n' ${String(command).replace('npx hookproof ', '')}`,
    ])
    return stdout.trimEnd().split('\n')
  }
  const again = async (options: Partial<CheckOptions>, path = '') => {
    const { url } = await serve((_, response) => response.end())
    const only = ['refusals/another-secret']
    const report = await check({ url: `${url}/hooks${path}`, secret: SECRET, only, seed: 's1', ...options })
    return { words: await wordsOf(report.verdicts[0]?.again), url: `${url}/hooks${path}` }
  }
  const id = 'refusals/another-secret'

  it('names the case, the address and the seed', async () => {
    const { words, url } = await again({})
    expect(words).toEqual(['send', id, url, '--seed', 's1'])
  })

  it('names another signature header, and live mode', async () => {
    const { words, url } = await again({ signatureHeader: 'X-Own', mode: 'live' })
    expect(words).toEqual(['send', id, url, '--seed', 's1', '--signature-header', 'X-Own', '--mode', 'live'])
  })

  it('starts the receiver again where the run had started it', async () => {
    expect((await again({ started: true })).words).toEqual(['check', '--only', id, '--seed', 's1'])
  })

  it('survives a shell: a query, and a seed that is a sentence', async () => {
    const { words, url } = await again({ seed: `it's $HOME & "more"` }, '?shop=1&lang=en')
    expect(words).toEqual(['send', id, url, '--seed', `it's $HOME & "more"`])
  })

  it('does not show a secret that is a part of the address', async () => {
    const { words } = await again({}, `/${SECRET}`)
    expect(words.join(' ')).not.toContain(SECRET)
  })

  it('is there for what failed, and only there', () => {
    for (const { outcome, again: command } of graded.verdicts)
      expect(command === null).toBe(outcome === 'passed' || outcome === 'untested')
  })
})
