import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE, SECTIONS } from '../../conformance/contracts/payment-service/cases/index.ts'
import { serve } from '../conformance/servers.ts'
import { freePort } from '../support/free-port.ts'
import { LONG_CASES } from '../support/long-cases.ts'
import { BUNDLED, EXPRESS_APP, startMutant, startVariant } from './receivers.ts'
import { casesNeeding, having, type Ran, runVitest, SECRET } from './support.ts'

/** A call of `conformance` with options as source. */
const grade = (options: string) => `
  import { conformance } from 'hookproof/vitest'
  conformance({ secret: '${SECRET}', ${options} })`

/** A line of a stack trace, as Node or Vitest prints it. */
const STACK = /^\s+(at |❯ .*\.js:)/m

const stops: (() => void | Promise<void>)[] = []
const finished = (stop: () => void | Promise<void>) => void stops.push(stop)
afterAll(async () => {
  for (const stop of stops) await stop()
})

describe('hookproof/vitest on a correct receiver', () => {
  let results: Record<'express' | 'bundled' | 'firstOnly', Ran>
  let warning: readonly string[]
  beforeAll(async () => {
    const firstOnly = await startVariant('reads only the first v1', finished)
    ;({ warning } = firstOnly)
    results = await runVitest({
      express: `${EXPRESS_APP}${grade(`target: app, path: '/hooks/pay'`)}`,
      bundled: `${BUNDLED}
        import { afterAll } from 'vitest'
        afterAll(stop)
        ${grade(`target: bundled, observe: '/observe', name: 'shop', skip: ${JSON.stringify(LONG_CASES)}`)}`,
      firstOnly: grade(`target: '${firstOnly.url}', only: ['signature-header/v1-twice*']`),
    })
  }, 180_000)

  test('defines a test for each case of an Express app, in groups by section, and skips unobserved effects', () => {
    const ran = results.express

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(casesNeeding(undefined))
    expect(having('skipped', ran)).toEqual(casesNeeding('effects'))
    expect(ran.output).toContain("[not tested: the receiver's effects cannot be observed; set `observe`")
    const [first] = CATALOGUE
    const title = SECTIONS.find(({ id }) => id === first?.section)?.title
    expect(ran.output).toContain(`conformance > ${title} > ${first?.id} - ${first?.spec}`)
  })

  test('passes every case of the bundled receiver, started by a function and observed at a path', () => {
    const ran = results.bundled

    expect(ran.code, ran.output).toBe(0)
    const inTestMode = CATALOGUE.filter(({ mode, onlyWith }) => mode !== 'live' && onlyWith === undefined)
    expect(having('passed', ran)).toHaveLength(inTestMode.length - LONG_CASES.length)
    expect(ran.output).toContain('shop > Transport > ')
  })

  test('passes a SHOULD that is not met, and annotates the warning', () => {
    const ran = results.firstOnly

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(expect.arrayContaining([...warning]))
    const [, annotation = ''] = ran.output.split('❯ warning')
    expect(annotation).toMatch(/SHOULD[\s\S]*Received[\s\S]*Fix/)
  })
})

describe('hookproof/vitest on a wrong receiver', () => {
  let results: Record<'bodyAlone' | 'disclosing' | 'otherSecret' | 'unreachable', Ran>
  let bodyAlone: Awaited<ReturnType<typeof startMutant>>
  let disclosing: Awaited<ReturnType<typeof startMutant>>
  beforeAll(async () => {
    bodyAlone = await startMutant('also accepts a signature over the body alone', finished)
    disclosing = await startMutant('discloses the secret', finished)
    const plain = await startVariant('plain', finished)
    const observe = `async (id) => (await (await fetch('${bodyAlone.observe}?payment_id=' + id)).json()).effects`
    results = await runVitest({
      // The proof of the mutants grades it with the entire catalogue.
      bodyAlone: grade(
        `target: '${bodyAlone.url}', observe: ${observe}, only: ['refusals', 'duplicates/delivered-twice*']`,
      ),
      disclosing: grade(`target: '${disclosing.url}', only: ['disclosure', 'transport']`),
      otherSecret: grade(`target: '${plain.url}'`).replace(SECRET, 'whsec_of_another_shop'),
      unreachable: grade(`target: 'http://127.0.0.1:${await freePort()}/webhooks'`),
    })
  }, 180_000)

  test('fails only the cases of the mistake, with what was sent, expected and received, impact and fix', () => {
    const { fails, url } = bodyAlone
    const ran = results.bodyAlone

    expect(ran.code).toBe(1)
    expect(having('failed', ran), ran.output).toEqual(fails)
    expect(having('skipped', ran)).toEqual([])
    const { spec, impact, fix, number } = CATALOGUE.find(({ id }) => id === fails[0]) ?? {}
    const message = ran.tests.get(fails[0] ?? '')?.message ?? ''
    expect(message.split('\n')).toEqual([
      'ConformanceFailure: A signature over the body alone is accepted.',
      `${number} ${spec}`,
      expect.stringMatching(/^ {2}Sent {6}POST payment\.\w+, ./),
      expect.stringMatching(/^ {2}Expected {2}./),
      expect.stringMatching(/^ {2}Received {2}status 200/),
      `  Impact    ${impact}`,
      `  Fix       ${fix}`,
      expect.stringMatching(/^ {2}Docs {6}https:\S+\/causes\/signed_text_differs$/),
      expect.stringMatching(`^  Reproduce npx hookproof send ${fails[0]} ${url} --seed \\w+$`),
    ])
    expect(ran.output).not.toMatch(STACK)
  })

  test('hides a secret that the receiver discloses', () => {
    const ran = results.disclosing

    expect(having('failed', ran)).toEqual(expect.arrayContaining([...disclosing.fails]))
    expect(ran.output).not.toContain(SECRET)
  })

  test('names a wrong secret as the cause, and keeps the failures that follow from it brief', () => {
    const ran = results.otherSecret

    expect(ran.code).toBe(1)
    const [first, second] = having('failed', ran).map((id) => ran.tests.get(id)?.message ?? '')
    expect(first).toMatch(/^ConformanceFailure: No valid delivery was accepted: all got 401, .*secret/)
    expect(first).toContain('  Fix ')
    expect(second?.split('\n')).toHaveLength(2)
    expect(ran.output).not.toContain('whsec_of_another_shop')
  })

  test('fails every test with the same line when the receiver is unreachable', () => {
    const ran = results.unreachable

    expect(ran.code).toBe(1)
    expect(having('failed', ran)).toEqual(casesNeeding(undefined))
    const messages = new Set(having('failed', ran).map((id) => ran.tests.get(id)?.message))
    expect([...messages]).toEqual([expect.stringMatching(/^HarnessError: could not reach .*ECONNREFUSED.*$/)])
    expect(ran.output).not.toMatch(STACK)
  })
})

describe('hookproof/vitest with a selection', () => {
  let deliveries = 0
  let results: Record<'counted' | 'typo', Ran>
  beforeAll(async () => {
    const { url } = await serve((_, response) => {
      deliveries += 1
      response.end()
    }, finished)
    results = await runVitest(
      {
        counted: grade(`target: '${url}'`),
        typo: `${EXPRESS_APP}${grade(`target: app, only: ['typo']`)}`,
      },
      { args: ['-t', 'transport/posted-as-json'] },
    )
  }, 180_000)

  test('sends only the cases that the command line selects', () => {
    expect(having('passed', results.counted)).toEqual(['transport/posted-as-json'])
    // The preflight and the selected case.
    expect(deliveries).toBe(2)
  })

  test('fails the file when a pattern matches no case', () => {
    expect(results.typo).toMatchObject({
      code: 1,
      output: expect.stringContaining('"typo" matches no case'),
    })
  })
})
