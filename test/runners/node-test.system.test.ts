import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { freePort } from '../support/free-port.ts'
import { LONG_CASES } from '../support/long-cases.ts'
import { BUNDLED, COMPLETE_APP, EXPRESS_APP, startMutant, startVariant } from './receivers.ts'
import { casesNeeding, having, type Ran, runNodeTest, SECRET } from './support.ts'

/** A call of `conformance` with options as source. */
const grade = (options: string) => `
  import { conformance } from 'hookproof/node-test'
  conformance({ secret: '${SECRET}', ${options} })`

const stops: (() => void | Promise<void>)[] = []
const finished = (stop: () => void | Promise<void>) => void stops.push(stop)
afterAll(async () => {
  for (const stop of stops) await stop()
})

describe('hookproof/node-test on a correct receiver', () => {
  let express: Ran
  let bundled: Ran
  let firstOnly: Ran
  let named: Ran
  beforeAll(async () => {
    const { url } = await startVariant('reads only the first v1', finished)
    const app = grade(`target: app, path: '/hooks/pay'`)
    const skip = JSON.stringify(LONG_CASES)
    const stopping = `import { after } from 'node:test'\nafter(stop)`
    // The bundled receiver takes longest, mostly waiting for effects.
    ;[bundled, [express, firstOnly, named]] = await Promise.all([
      runNodeTest(`${BUNDLED}\n${stopping}${grade(`target: bundled, observe: '/observe', skip: ${skip}`)}`),
      runInTurn([
        () => runNodeTest(`${EXPRESS_APP}${app}`),
        () => runNodeTest(grade(`target: '${url}', only: ['signature-header/v1-twice*']`)),
        () =>
          runNodeTest(`${COMPLETE_APP}${app}`, { args: ['--test-name-pattern=transport/posted-as-json'] }),
      ]),
    ])
  })

  test('defines a test for each case of an Express app, skips unobserved effects, and lets the program end', () => {
    expect(express.code, express.output).toBe(0)
    expect(having('passed', express)).toEqual(casesNeeding(undefined))
    expect(having('skipped', express)).toEqual(casesNeeding('effects'))
    expect(express.output).toContain("# not tested: the receiver's effects cannot be observed; set `observe`")
  })

  test('passes every case of the bundled receiver with its effects', () => {
    expect(bundled.code, bundled.output).toBe(0)
    const inTestMode = CATALOGUE.filter(({ mode, onlyWith }) => mode !== 'live' && onlyWith === undefined)
    expect(having('passed', bundled)).toHaveLength(inTestMode.length - LONG_CASES.length)
  })

  test('passes a SHOULD that is not met, and prints the warning', () => {
    expect(firstOnly.code, firstOnly.output).toBe(0)
    expect(having('failed', firstOnly)).toEqual([])
    expect(firstOnly.output).toMatch(/ℹ .*SHOULD[\s\S]*Fix/)
  })

  test('runs only the tests that a name pattern selects', () => {
    expect(named.code, named.output).toBe(0)
    expect(having('passed', named)).toEqual(['transport/posted-as-json'])
  })

  test('ends although the app never stops its processing, its retention and its SQLite inbox', () => {
    expect(named.code, named.output).toBe(0)
  })
})

describe('hookproof/node-test on a wrong receiver', () => {
  let bodyAlone: Ran
  let otherSecret: Ran
  let unreachable: Ran
  let fails: readonly string[]
  beforeAll(async () => {
    const wrong = await startMutant('also accepts a signature over the body alone', finished)
    const { url } = await startVariant('plain', finished)
    ;({ fails } = wrong)
    const only = `only: ['transport']`
    // The proof of the mutants grades it with the entire catalogue.
    const sections = `['refusals', 'duplicates/delivered-twice*']`
    const dead = `http://127.0.0.1:${await freePort()}/`
    ;[bodyAlone, [otherSecret, unreachable]] = await Promise.all([
      runNodeTest(grade(`target: new URL('${wrong.url}'), observe: '${wrong.observe}', only: ${sections}`)),
      runInTurn([
        () => runNodeTest(grade(`target: '${url}', ${only}`).replace(SECRET, 'whsec_other')),
        () => runNodeTest(grade(`target: '${dead}', ${only}`)),
      ]),
    ])
  })

  test('fails only the cases of the mistake, with the fix and without a stack trace', () => {
    expect(bodyAlone.code).toBe(1)
    expect(having('failed', bodyAlone), bodyAlone.output).toEqual(fails)
    expect(having('skipped', bodyAlone)).toEqual([])
    const { spec, fix, number } = CATALOGUE.find(({ id }) => id === fails[0]) ?? {}
    expect(bodyAlone.output).toContain('ConformanceFailure: A signature over the body alone is accepted.')
    expect(bodyAlone.output).toContain(`${number} ${spec}`)
    expect(bodyAlone.output).toContain(`Fix       ${fix}`)
    expect(bodyAlone.output).not.toMatch(/^\s+at /m)
  })

  test('names a wrong secret as the cause in every test, and shows no secret', () => {
    expect(otherSecret.code).toBe(1)
    const [first = ''] = having('failed', otherSecret)
    expect(otherSecret.tests.get(first)?.message).toContain('No valid delivery was accepted: all got 401')
    expect(otherSecret.output).not.toContain('whsec_other')
  })

  test('fails every test with the cause when the receiver is unreachable', () => {
    expect(unreachable.code).toBe(1)
    expect(having('failed', unreachable)).toEqual([...unreachable.tests.keys()])
    const [first = ''] = having('failed', otherSecret)
    expect(unreachable.tests.get(first)?.message).toMatch(/^could not reach .*ECONNREFUSED/)
  })
})

/** Runs test files one after another, so that one core stays free. */
async function runInTurn<const Runs extends readonly (() => Promise<Ran>)[]>(
  runs: Runs,
): Promise<{ [Index in keyof Runs]: Ran }> {
  const results: Ran[] = []
  for (const run of runs) results.push(await run())
  return results as { [Index in keyof Runs]: Ran }
}
