import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MUTANTS } from '../mutants/mutants.ts'
import { settingOf } from '../mutants/proof/grade.ts'
import { startReceiver } from '../mutants/receiver.ts'
import { hookproof, type Result, readJson, SECRET, temporaryFolder } from './support.ts'

/** Cases that every mistake here fails, and a section that has no result without valid deliveries. */
const SOME = ['body-bytes', 'refusals/*secret*', 'time-window/a-year-ago', 'duplicates/delivered-*'].flatMap(
  (name) => ['--only', name],
)

/** Runs `hookproof check` on a receiver with these mistakes, and then once more for each list of further options. */
async function grade(mistakes: readonly string[], file: string, ...more: readonly string[]): Promise<Result> {
  const behaviors = mistakes.map((name) => {
    const mutant = MUTANTS[name]
    if (mutant === undefined) throw new Error(`there is no mutant "${name}"`)
    return settingOf(mutant).behavior
  })
  const receiver = await startReceiver(SECRET, { behavior: Object.assign({}, ...behaviors) })
  try {
    const { url, observe } = receiver
    return await hookproof(
      [
        'check',
        url,
        '--no-config',
        '--observe',
        observe,
        '--wait',
        '1',
        '--baseline',
        file,
        ...SOME,
        ...more,
      ],
      { env: { GITHUB_ACTIONS: undefined } },
    )
  } finally {
    receiver.stop()
  }
}

test.each(['re-serializes the body', 'verifies nothing'])(
  'after --update-baseline, a receiver that %s keeps a green pipeline',
  async (mistake) => {
    const file = join(temporaryFolder(), 'known.json')

    expect((await grade([mistake], file, '--update-baseline')).code).toBe(0)
    const next = await grade([mistake], file)

    expect(next).toMatchObject({ code: 0, stderr: expect.stringContaining('so the exit code is 0') })
    expect(next.stdout).toContain('Not conformant')
    expect(next.stdout.trimEnd().split('\n').at(-1)).toMatch(
      /^No new failures: \d+ known ones?.* \(exit code 0\)\.$/,
    )
  },
)

// The mistakes that docs/troubleshooting.md begins with, as receivers in production have them.
test.each([
  ['re-serializes the body', 'has no window', 'time-window'],
  ['serializes with json.dumps before it verifies', 'verifies nothing', 'refusals'],
  ['has no window', 'remembers nothing', 'duplicates'],
  ['verifies nothing', 'remembers nothing', 'duplicates'],
  ['remembers nothing', 'has no window', 'time-window'],
])('a receiver that %s gets a red pipeline when it also %s', async (known, added, section) => {
  const file = join(temporaryFolder(), 'known.json')
  expect((await grade([known], file, '--update-baseline')).code).toBe(0)
  expect((await grade([known], file)).code).toBe(0)

  const next = await grade([known, added], file)

  expect(next).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`new failures, not in .*: .*${section}/`)),
  })
})

test('a wrong secret leaves the baseline as it is', async () => {
  const file = join(temporaryFolder(), 'known.json')
  writeFileSync(file, JSON.stringify({ failures: {} }))
  const receiver = await startReceiver('whsec_of_somebody_else_entirely')
  onTestFinished(() => receiver.stop())

  const { code, stderr } = await hookproof([
    'check',
    receiver.url,
    '--no-config',
    '--baseline',
    file,
    '--update-baseline',
  ])

  expect(stderr).toContain(
    `${file} is unchanged: the run ended before it could grade the receiver (exit code 3)\n`,
  )
  expect(code).toBe(3)
  expect(readJson(file)).toEqual({ failures: {} })
})

test('an inconclusive case that the baseline does not list is said, and exits with 3', async () => {
  const file = join(temporaryFolder(), 'known.json')
  const known = 're-serializes the body'
  expect((await grade([known], file, '--update-baseline')).code).toBe(0)
  const { inconclusive = [], ...others } = readJson(file) as { inconclusive?: string[] }
  const [first = '', ...rest] = inconclusive
  expect(first).not.toBe('')
  writeFileSync(file, JSON.stringify({ ...others, inconclusive: rest }))

  const next = await grade([known], file)

  expect(next).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(new RegExp(`no result.*: ${first}\n`)),
  })
  expect(next.stdout).toMatch(/but no result for 1 MUST case \(exit code 3\)\.\n$/)
})
