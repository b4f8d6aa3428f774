import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary.ts'
import { runStep } from './support.ts'

const OUTCOME = 'Write the outcome'

const failed = {
  case: 'signatures/other-secret',
  outcome: 'failed',
  spec: { number: '5.1', sentence: 'A receiver MUST refuse it.' },
  impact: 'Anyone can forge a payment.',
  fix: 'Compare it.',
}
const passed = { ...failed, case: 'signatures/current', outcome: 'passed' }
const cause = {
  code: 'no_check',
  sentence: 'Nothing is verified.',
  fix: 'Verify it.',
  cases: ['signatures/other-secret'],
}

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'reports'))
})

function write(report: object, letter = 'F'): void {
  writeFileSync(join(folder, 'reports/hookproof.json'), JSON.stringify(report))
  writeFileSync(
    join(folder, 'reports/hookproof.svg'),
    `<svg><title>hookproof: grade ${letter}, not</title></svg>`,
  )
}

function run(start = '') {
  const reports = join(folder, 'reports')
  const env = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  const { status, stdout } = runStep(
    OUTCOME,
    new Map([
      ['reports', reports],
      ['start', start],
    ]),
    { cwd: folder, folder, env },
  )
  return {
    status,
    annotations: stdout.split('\n').filter(Boolean),
    output: readFileSync(env.GITHUB_OUTPUT, 'utf8'),
  }
}

describe('the outcome of the action', () => {
  test('annotates the cause and each failure, and sets the outputs', () => {
    write({ conclusion: 'not-conformant', causes: [cause], verdicts: [passed, failed] })
    const { status, annotations, output } = run()
    expect(annotations).toEqual([
      '::error title=hookproof%3A the cause::Nothing is verified. Verify it.',
      '::error title=hookproof%3A signatures/other-secret::A receiver MUST refuse it. Anyone can forge a payment. Compare it.',
    ])
    const html = join(folder, 'reports/hookproof.html')
    expect(output).toBe(`conclusion=not-conformant\ngrade=F\nreport=${html}\n`)
    expect(status).toBe(0)
  })

  describe('points its annotations at the handler', () => {
    const exchanges = [
      {
        delivery: {
          headers: [
            ['Host', 'x'],
            ['X-Service-Signature', 't=1,v1=0'],
          ],
        },
      },
    ]
    const verdicts = [{ ...failed, exchanges }]

    function placeIn(files: Readonly<Record<string, string>>, start = ''): string | undefined {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(folder, dirname(name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
      for (const args of [
        ['init', '-q'],
        ['add', '-A'],
      ])
        execFileSync('git', args, { cwd: folder })
      write({ conclusion: 'not-conformant', verdicts })
      return /^::error (?:(file=[^,]*,line=\d+),)?title=/.exec(run(start).annotations[0] ?? '')?.[1]
    }

    const HANDLER = "\n\nreq.get('x-service-signature')\n"

    test('the only source file that names the signature header', () => {
      const files = {
        'src/a:b.js': HANDLER,
        'server.js': '',
        'test/a.js': HANDLER,
        'a.test.js': HANDLER,
        'README.md': HANDLER,
      }
      expect(placeIn(files, 'node server.js')).toBe('file=src/a%3Ab.js,line=3')
    })

    test('as the name of a variable in CGI and WSGI too', () => {
      expect(placeIn({ 'shop/hooks.py': "request.META['HTTP_X_SERVICE_SIGNATURE']" })).toBe(
        'file=shop/hooks.py,line=1',
      )
    })

    test('of several the one that is started, by the input or the config file', () => {
      const files = { 'one.js': HANDLER, 'two.js': HANDLER }
      expect(placeIn(files, 'PORT=1 node "./two.js"')).toBe('file=two.js,line=3')
      expect(placeIn({ 'hookproof.config.json': '{"start":"node one.js"}' })).toBe('file=one.js,line=3')
    })

    test('else the file that is started, and none where several may be meant', () => {
      expect(placeIn({ 'one.js': '', 'two.js': '' }, 'node one.js')).toBe('file=one.js,line=1')
      expect(placeIn({ 'one.js': HANDLER, 'two.js': HANDLER }, 'npm start')).toBeUndefined()
    })
  })

  test('annotates nothing that the baseline accepts', () => {
    const baseline = { known: [], new: [], stale: [], expired: [] }
    write({ conclusion: 'not-conformant', causes: [cause], verdicts: [failed], baseline })
    expect(run().annotations).toEqual([])
    write({
      conclusion: 'not-conformant',
      verdicts: [failed],
      baseline: { ...baseline, expired: [failed.case] },
    })
    expect(run().annotations).toHaveLength(1)
  })

  test('lets no text of a report become a command of GitHub', () => {
    const fix = 'x\r\n::add-mask::y %0A'
    write({ conclusion: 'not-conformant', verdicts: [{ ...failed, fix, case: 'a,b:c' }] }, 'A+')
    const { annotations, output } = run()
    expect(annotations).toHaveLength(1)
    expect(annotations[0]).toContain('title=hookproof%3A a%2Cb%3Ac::')
    expect(annotations[0]).toContain('x%0D%0A::add-mask::y %250A')
    expect(output).toContain('grade=A+\n')
  })

  test('writes at most ten annotations, since GitHub shows no more', () => {
    const verdicts = Array.from({ length: 30 }, (_, at) => ({ ...failed, case: `signatures/${at}` }))
    write({ conclusion: 'not-conformant', verdicts })
    expect(run().annotations).toHaveLength(10)
  })

  test('says that there is no report, when the receiver could not be graded', () => {
    const { status, annotations, output } = run()
    expect(annotations).toEqual(['::error title=hookproof::No report: the receiver could not be graded.'])
    expect(output).toBe('conclusion=\ngrade=\nreport=\n')
    expect(status).toBe(0)
  })
})
