import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CheckOptions, check } from '../../../conformance/check.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import type { Effect } from '../../../schemas/types.ts'
import { type Behavior, nameOf } from '../../mutants/behavior.ts'
import { MUTANTS } from '../../mutants/mutants.ts'
import { settingOf } from '../../mutants/proof/grade.ts'
import { type Setting, smallReceiver } from '../small-receiver.ts'
import { SECRET } from '../support.ts'

/** `npm run proof` runs the entire catalogue; here only the cases run that show the cause and what resembles it. */
const grade = async (setting: Setting, only: readonly string[], options: Partial<CheckOptions> = {}) => {
  const { url, effects } = await smallReceiver(setting)
  return check({ url, observe: effects, secret: SECRET, only, waitMs: 200, seed: 'causes', ...options })
}
const mutant = (name: string): Setting => {
  const found = MUTANTS[name]
  if (found === undefined) throw new Error(`there is no mutant "${name}"`)
  return settingOf(found)
}
const codesOf = ({ causes = [] }: Awaited<ReturnType<typeof check>>) => causes.map(({ code }) => code)

describe('the report names the cause', () => {
  it.each<[string, string[]]>([
    ['re-serializes the body', ['body-bytes', 'refusals/another-secret']],
    [
      'serializes with json.dumps before it verifies',
      ['transport/posted-as-json', 'refusals/another-secret'],
    ],
    ['reads the body as text, without its byte order mark', ['body-bytes']],
    // One of a family: neither trimmed nor serialized again.
    ['reads the body as Latin-1', ['body-bytes/*ascii*', 'body-bytes/line-*', 'refusals/another-secret']],
    ['panics at a signature of another length', ['signature-header/v1-*', 'refusals/another-secret']],
    ['panics at a signed body that is no event', ['robustness/json-*', 'refusals/another-secret']],
    [
      'acknowledges forms, and ignores them',
      ['bypass/content-type-*', 'refusals/*-has-no-effect', 'refusals/*secret*'],
    ],
    // It accepts a signature over t alone: no cause of its own, since an empty body is hashed.
    [
      'verifies a body that a parser has consumed',
      [
        'transport/posted-as-json',
        'signature-header/absent',
        'refusals/t-alone',
        'refusals/another-secret',
        'time-window',
      ],
    ],
    ['has another secret', ['signature-header/absent', 'refusals/another-secret', 'time-window']],
    ['verifies nothing', ['refusals/*secret*', 'signature-header/v1-t*', 'time-window']],
    ['answers 200 to refusals, and does nothing', ['refusals', 'time-window', 'transport/posted-as-json']],
    ['swaps 400 and 401', ['signature-header/absent', 'refusals/another-secret', 'time-window']],
    [
      'recognizes a redelivery by the payment alone',
      [
        'duplicates/*-in-turn',
        'duplicates/*-after-completion',
        'effects/completion-after-*',
        // Rules out that events which are not newer are skipped.
        'effects/events-older-than-the-last-one',
      ],
    ],
    [
      'credits partial payments',
      ['effects/*-is-not-credited', 'effects/completed-is-fulfilled', 'effects/completion-*'],
    ],
  ])('%s', async (name, only) => {
    const report = await grade(mutant(name), only)

    expect(codesOf(report)).toEqual([MUTANTS[name]?.cause])
    const explained = new Set(report.causes?.flatMap(({ cases }) => cases))
    for (const { case: id, outcome } of report.verdicts) {
      if (outcome === 'failed') expect(explained, id).toContain(id)
      if (outcome === 'passed') expect(explained, id).not.toContain(id)
    }
  })
})

/** What JSON.generate of Ruby writes for a body: it keeps the order of keys, and writes floats in its own form. */
function generatedByRuby(body: Buffer): string {
  const quoted = body
    .toString()
    .replace(/(":\s*)(-?\d[\d.e]*)/g, (_, before, number) => `${before}"#${formOfRuby(number)}#"`)
    .replace(/"(\d+)"(\s*:)/g, '"#$1"$2')
  return JSON.stringify(JSON.parse(quoted))
    .replace(/"#([\d.-]+)#"/g, '$1')
    .replaceAll('"#', '"')
}

/** A whole number as it is, any other as a float. */
function formOfRuby(number: string): string {
  if (/^-?\d+$/.test(number)) return number
  const value = Number(number)
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}

const FORMS = [
  'body-bytes/number-*',
  'body-bytes/*key*',
  'body-bytes/*indent*',
  'body-bytes/*ascii*',
  'refusals/another-secret',
]

it('takes no refusal for that of a stale delivery where those are accepted', async () => {
  const only = ['time-window', 'signature-header/t-twice-wherever*', 'refusals/another-secret']
  const report = await grade(mutant('reads the header as a dictionary and checks no window'), only)

  const twice = report.verdicts.find(({ case: id }) => id.startsWith('signature-header/t-twice'))
  expect(twice?.outcome).toBe('failed')
  expect(codesOf(report)).toEqual(['no_window'])
  expect(report.causes?.[0]?.cases).toContain(twice?.case)
})

it('explains a time of 400 digits, and two times of which the last counts, by the window that is missing', async () => {
  const setting = mutant('reads the header as a dictionary and checks no window')
  const digits = (t: string) => (/^\d+$/.test(t) ? Number(t) : undefined)
  const report = await grade({ ...setting, behavior: { ...setting.behavior, seconds: digits } }, [
    'time-window',
    'signature-header',
  ])

  const failed = report.verdicts.filter(({ outcome }) => outcome === 'failed').map(({ case: id }) => id)
  expect(failed).toContain('signature-header/t-of-400-digits')
  expect(codesOf(report)).toEqual(['no_window'])
  expect(report.causes?.[0]?.cases).toEqual(expect.arrayContaining(failed))
})

it('explains numbers and repeated keys that Ruby writes in another form when it re-serializes the body', async () => {
  const messages = (t: string, body: Buffer) => {
    try {
      return [Buffer.from(`${t}.${generatedByRuby(body)}`)]
    } catch {
      return []
    }
  }
  const { causes = [], verdicts } = await grade({ behavior: { messages } }, FORMS)

  expect(causes.map(({ code }) => code)).toEqual(['body_reserialized'])
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ case: id }) => id)
  expect(failed).toContain('body-bytes/number-forms')
  expect(failed).toContain('body-bytes/number-reformatted')
  expect(causes[0]?.cases).toEqual(expect.arrayContaining(failed))
})

it('does not explain numbers by re-serialized JSON where they are refused in another way', async () => {
  const messages = (t: string, body: Buffer) => {
    try {
      return [Buffer.from(`${t}.${body.includes('1e2') ? body.toString() : generatedByRuby(body)}`)]
    } catch {
      return []
    }
  }
  const gate = (_: unknown, body: Buffer) => (body.includes('1e2') ? 422 : undefined)
  const { causes = [], verdicts } = await grade({ behavior: { messages, gate } }, FORMS)

  expect(verdicts.find(({ case: id }) => id === 'body-bytes/number-forms')?.outcome).toBe('failed')
  expect(causes.flatMap(({ cases }) => cases)).not.toContain('body-bytes/number-forms')
})

it('explains every forgery that a server accepts which answers 200 to everything, however it is sent', async () => {
  const { url } = await smallReceiver({ behavior: { gate: () => 200 } })
  const only = [
    'refusals/*secret*',
    'signature-header/absent',
    // The HTTP parser of Node.js refuses those.
    'signature-header/nul-*',
    'transport/method-*',
    'bypass/sent-*',
    'bypass/path-*',
  ]
  const { causes = [], verdicts } = await check({ url, secret: SECRET, only, seed: 'causes' })

  expect(causes.map(({ code }) => code)).toEqual(['no_verification'])
  const explained = causes.flatMap(({ cases }) => cases)
  const forged = verdicts.filter(({ case: id, outcome }) => outcome === 'failed' && id.startsWith('bypass/'))
  expect(forged.length).toBeGreaterThan(2)
  for (const { case: id } of forged) expect(explained, id).toContain(id)
})

describe('a receiver that checks the form of the header, and ignores whether the signature is right', () => {
  const lastOf = (header: string, label: string) =>
    header
      .split(',')
      .filter((entry) => entry.trim().startsWith(`${label}=`))
      .slice(-1)
      .map((entry) => entry.trim().slice(label.length + 1))
  const isForm = (_: string, given: string) => /^[0-9a-f]{64}$/.test(given)
  // As express.raw() does with a body that is not what it says.
  const gate: Behavior['gate'] = ({ headers }) =>
    headers['content-encoding'] === undefined ? undefined : 415

  it.each<[string, Partial<Behavior>]>([
    ['takes every entry', { same: isForm }],
    ['takes anything of the right length', { same: (expected, given) => given.length === expected.length }],
    [
      'takes the last entries, and decompresses bodies',
      {
        same: isForm,
        gate,
        entries: (header) => ({ times: lastOf(header, 't'), signatures: lastOf(header, 'v1') }),
      },
    ],
    [
      'reads one line of the header',
      { same: isForm, headerOf: ({ headersDistinct }) => headersDistinct['x-service-signature']?.[0] ?? '' },
    ],
  ])('gets the cause that nothing is verified, if it %s', async (_, behavior) => {
    const report = await grade({ behavior }, ['refusals', 'signature-header', 'body-bytes', 'bypass/sent-*'])

    expect(codesOf(report)).toEqual(['no_verification'])
    const explained = report.causes?.flatMap(({ cases }) => cases)
    for (const { case: id, outcome } of report.verdicts)
      if (outcome === 'failed') expect(explained, id).toContain(id)
  })
})

it('blames no overlap where either order of a completion and its refund, in turn, shows the same', async () => {
  const setting = mutant('recognizes a redelivery by the payment alone, and records only what has an effect')
  // Of deliveries at the same time, every second completion comes after its refund, and the others before it.
  let completions = 0
  const acknowledge: Behavior['acknowledge'] = async (event, response) => {
    const isCompletion = nameOf(event) === 'payment.completed'
    if (isCompletion) completions += 1
    if (!isCompletion) await pause(20)
    else if (completions % 2 === 0) await pause(40)
    response.writeHead(200).end()
  }
  const report = await grade(
    { ...setting, behavior: { ...setting.behavior, acknowledge } },
    [
      'duplicates/*-in-turn',
      'duplicates/*-after-completion',
      'effects/completion-after-*',
      'effects/events-older-than-the-last-one',
      'effects/refund-*',
    ],
    // Completions of other cases in between could make all those of one case the second.
    { concurrency: 1 },
  )
  const atOnce = report.verdicts.find(({ case: id }) => id === 'effects/refund-and-completion-at-once')
  expect(atOnce?.outcome).toBe('failed')
  expect(codesOf(report)).toEqual(['deduplicated_by_payment_alone'])
  expect(report.causes?.[0]?.cases).toContain('effects/refund-and-completion-at-once')
})

it('names the cause in live mode, where test events have the ids of live payments', async () => {
  const only = ['duplicates/*-in-turn', 'events/test-*', 'effects/completed-is-fulfilled']
  const report = await grade(mutant('remembers nothing'), only, { mode: 'live' })

  expect(codesOf(report)).toEqual(['no_deduplication'])
})

describe('no cause is named', () => {
  it('for a correct receiver, and nothing more is sent to it', async () => {
    let requests = 0
    const { url } = await smallReceiver({
      behavior: { gate: () => void (requests += 1) },
    })
    const report = await check({ url, secret: SECRET, only: ['refusals/another-secret'] })
    expect(codesOf(report)).toEqual([])
    // The preflight, the forged delivery and its control.
    expect(requests).toBe(3)
  })

  it('when fewer than five cases were selected', async () => {
    const report = await grade(mutant('verifies nothing'), ['refusals/another-secret', 'refusals/empty-key'])
    expect(report.counts.failed).toBe(2)
    expect(codesOf(report)).toEqual([])
  })

  it('when no selected case shows two of them apart', async () => {
    const report = await grade(mutant('recognizes a redelivery by its timestamp'), [
      'duplicates/with-a-new-timestamp',
      'events/completed',
      'events/every-*',
      'events/refund*',
      'effects/completed-is-fulfilled',
    ])
    expect(report.verdicts.length).toBeGreaterThan(4)
    expect(report.counts.failed).toBe(1)
    expect(codesOf(report)).toEqual([])
  })

  it('when a delivery disproves each: signatures are compared by their length, except zeros', async () => {
    const same = (expected: string, given: string) => expected.length === given.length && !/^0+$/.test(given)
    const report = await grade({ behavior: { same } }, [
      'refusals/another-secret',
      'refusals/signature-of-zeros',
    ])
    expect(report.counts.failed).toBe(1)
    expect(codesOf(report)).toEqual([])
    expect(report.diagnosis).toBeNull()
  })
})

describe('a receiver whose effects are not seen', () => {
  it('gets the cause that they came late, if they did', async () => {
    const { url, effects } = await smallReceiver()
    let isShown = false
    const report = await check({
      url,
      secret: SECRET,
      only: ['effects/completed-is-fulfilled'],
      waitMs: 50,
      observe: (id) => (isShown ? effects(id) : []),
      onVerdict: () => {
        isShown = true
      },
    })
    expect(codesOf(report)).toEqual(['slow_effects'])
  })

  it('gets the cause that they cannot be read, beside what failed', async () => {
    const { url, effects } = await smallReceiver({ behavior: { status: () => 200 } })
    const report = await check({
      url,
      secret: SECRET,
      only: ['effects/*-is-fulfilled', 'duplicates/forged-first'],
      waitMs: 50,
      observe: (id) => effects(id).map(({ effect, amount }) => ({ effect, amount }) as Effect),
    })
    expect(codesOf(report)).toEqual(['effects_unreadable'])
    expect(report.diagnosis).toMatch(
      /^\d+ cases without a result: the effects that the receiver shows cannot be read: \/effects\/0\/event: expected a value: this field is required, got only effect, amount; .+\.$/,
    )
  })

  it('gets the cause that none was observed, whatever failed', async () => {
    const never: Setting = { behavior: { effectOf: () => undefined } }
    const report = await grade(never, ['effects/*-is-fulfilled'], { waitMs: 50 })
    expect(codesOf(report)).toEqual(['no_effects'])
  })
})

/** Causes of whole receivers, with tests of their own. */
const TESTED_ELSEWHERE = new Set([
  'body_expanded_first',
  'one_signature_read',
  'blocked_by_unfinished_body',
  'crashed',
  'effects_unreadable',
  'nothing_accepted',
  'signature_zeros_lost',
  'slow_effects',
  'stopped_answering',
])

it('every code of a cause is the cause of a mutant, or has a test of its own', () => {
  const named = new Set(Object.values(MUTANTS).flatMap(({ cause }) => cause ?? []))
  expect(CAUSE_CODES.filter((code) => !named.has(code) && !TESTED_ELSEWHERE.has(code))).toEqual([])
})
