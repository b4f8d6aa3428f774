import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../conformance/catalogue/index.ts'
import { freePort } from '../support/free-port.ts'
import { BUNDLED, EXPRESS_APP, startMutant, startVariant } from './receivers.ts'
import { casesNeeding, having, runNodeTest, SECRET } from './support.ts'

/** A call of `conformance` with options as source. */
const grade = (options: string) => `
  import { conformance } from 'hookproof/node-test'
  conformance({ secret: '${SECRET}', ${options} })`

describe('hookproof/node-test', { timeout: 60_000 }, () => {
  test('an Express app: a test for each case, and the program ends; what is not seen is skipped', async () => {
    const ran = await runNodeTest({ source: `${EXPRESS_APP}${grade(`target: app, path: '/hooks/pay'`)}` })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(casesNeeding(undefined))
    expect(having('skipped', ran)).toEqual(casesNeeding('effects'))
    expect(ran.output).toContain("# untested: the receiver's effects can not be seen; give `observe`")
  })

  test('the bundled receiver, with its effects: every case passes', async () => {
    const stopping = `import { after } from 'node:test'\nafter(stop)`
    const source = `${BUNDLED}\n${stopping}${grade(`target: bundled, observe: '/observe'`)}`
    const ran = await runNodeTest({ source })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toHaveLength(CATALOGUE.filter(({ mode }) => mode !== 'live').length)
  })

  test('a wrong receiver: just the cases of the mistake fail, and tell how to mend it', async () => {
    const { url, observe, fails } = await startMutant('signs the body alone')
    const ran = await runNodeTest({ source: grade(`target: new URL('${url}'), observe: '${observe}'`) })

    expect(ran.code).toBe(1)
    expect(having('failed', ran), ran.output).toEqual(fails)
    expect(having('skipped', ran)).toEqual([])
    const { spec, fix, number } = CATALOGUE.find(({ id }) => id === fails[0]) ?? {}
    expect(ran.output).toContain(`ConformanceFailure: ${number} ${spec}`)
    expect(ran.output).toContain(`Mend      ${fix}`)
    expect(ran.output).not.toMatch(/^\s+at /m)
  })

  test('a SHOULD that is not met passes, and the advice is told', async () => {
    const { url } = await startVariant('reads the first v1 only')
    const ran = await runNodeTest({ source: grade(`target: '${url}', only: ['signature-header/v1-twice*']`) })

    expect(ran.code, ran.output).toBe(0)
    expect(having('failed', ran)).toEqual([])
    expect(ran.output).toMatch(/ℹ .*SHOULD[\s\S]*Mend/)
  })

  test('a wrong secret, or nobody who listens: every test tells the cause, and no secret is shown', async () => {
    const { url } = await startVariant('plain')
    const only = `only: ['transport']`
    const wrong = await runNodeTest({
      source: grade(`target: '${url}', ${only}`).replace(SECRET, 'whsec_other'),
    })
    const dead = await runNodeTest({
      source: grade(`target: 'http://127.0.0.1:${await freePort()}/', ${only}`),
    })

    expect(wrong.code).toBe(1)
    const [first = ''] = having('failed', wrong)
    expect(wrong.tests.get(first)?.message).toContain('all got 401. Check first that the signing secret')
    expect(wrong.output).not.toContain('whsec_other')
    expect(dead.code).toBe(1)
    expect(having('failed', dead)).toEqual([...dead.tests.keys()])
    expect(dead.tests.get(first)?.message).toMatch(/^could not reach .*ECONNREFUSED/)
  })

  test('a name pattern leaves the tests that it names', async () => {
    const source = `${EXPRESS_APP}${grade(`target: app, path: '/hooks/pay'`)}`
    const ran = await runNodeTest({ source, args: ['--test-name-pattern=transport/posted-as-json'] })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(['transport/posted-as-json'])
  })
})
