import { describe, expect, test } from 'vitest'
import { CATALOGUE, SECTIONS } from '../../conformance/catalogue/index.ts'
import { serve } from '../conformance/servers.ts'
import { freePort } from '../support/free-port.ts'
import { BUNDLED, EXPRESS_APP, startMutant, startVariant } from './receivers.ts'
import { casesNeeding, having, runVitest, SECRET } from './support.ts'

/** A call of `conformance` with options as source. */
const grade = (options: string) => `
  import { conformance } from 'hookproof/vitest'
  conformance({ secret: '${SECRET}', ${options} })`

/** A line of a stack trace, as Node or Vitest shows it. */
const STACK = /^\s+(at |❯ .*\.js:)/m

describe('hookproof/vitest on a correct receiver', { timeout: 60_000 }, () => {
  test('an Express app: a test for each case, in groups by section; effects that are not seen are skipped', async () => {
    const ran = await runVitest({ source: `${EXPRESS_APP}${grade(`target: app, path: '/hooks/pay'`)}` })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(casesNeeding(undefined))
    expect(having('skipped', ran)).toEqual(casesNeeding('effects'))
    expect(ran.output).toContain("[untested: the receiver's effects can not be seen; give `observe`")
    const [one] = CATALOGUE
    const title = SECTIONS.find(({ id }) => id === one?.section)?.title
    expect(ran.output).toContain(`conformance > ${title} > ${one?.id} - ${one?.spec}`)
  })

  test('the bundled receiver, started by a function and observed at a path of its own: every case passes', async () => {
    const stopping = `import { afterAll } from 'vitest'\nafterAll(stop)`
    const source = `${BUNDLED}\n${stopping}${grade(`target: bundled, observe: '/observe', name: 'shop'`)}`
    const ran = await runVitest({ source })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toHaveLength(CATALOGUE.filter(({ mode }) => mode !== 'live').length)
    expect(ran.output).toContain('shop > Transport > ')
  })

  test('a SHOULD that is not met passes, and the advice is told', async () => {
    const { url, warning } = await startVariant('reads the first v1 only')
    const ran = await runVitest({ source: grade(`target: '${url}', only: ['signature-header/v1-twice*']`) })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(expect.arrayContaining([...warning]))
    const [, told = ''] = ran.output.split('❯ advice')
    expect(told).toMatch(/SHOULD[\s\S]*Came back[\s\S]*Mend/)
  })
})

describe('hookproof/vitest on a wrong receiver', { timeout: 60_000 }, () => {
  test('just the cases of the mistake fail, and tell what is asked, what came and how to mend it', async () => {
    const { url, observe, fails } = await startMutant('signs the body alone')
    const look = `observe: async (id) => (await (await fetch('${observe}?payment_id=' + id)).json()).effects`
    const ran = await runVitest({ source: grade(`target: '${url}', ${look}`) })

    expect(ran.code).toBe(1)
    expect(having('failed', ran), ran.output).toEqual(fails)
    expect(having('skipped', ran)).toEqual([])
    const { spec, impact, fix, number } = CATALOGUE.find(({ id }) => id === fails[0]) ?? {}
    const message = ran.tests.get(fails[0] ?? '')?.message ?? ''
    expect(message.split('\n')).toEqual([
      `ConformanceFailure: ${number} ${spec}`,
      expect.stringMatching(/^ {2}Sent {6}POST payment\.\w+, ./),
      expect.stringMatching(/^ {2}Expected {2}./),
      expect.stringMatching(/^ {2}Came back status 200/),
      `  Means     ${impact}`,
      `  Mend      ${fix}`,
      expect.stringMatching(`^  Again     npx hookproof send ${fails[0]} ${url} --seed \\w+$`),
    ])
    expect(ran.output).not.toMatch(STACK)
  })

  test('a secret that the receiver tells is told to nobody else', async () => {
    const { url, fails } = await startMutant('shows the secret')
    const ran = await runVitest({ source: grade(`target: '${url}', only: ['disclosure', 'transport']`) })

    expect(having('failed', ran)).toEqual(expect.arrayContaining([...fails]))
    expect(ran.output).not.toContain(SECRET)
  })

  test('a wrong secret: the cause is told first, and what follows from it is brief', async () => {
    const { url } = await startVariant('plain')
    const source = grade(`target: '${url}'`).replace(SECRET, 'whsec_of_another_shop')
    const ran = await runVitest({ source })

    expect(ran.code).toBe(1)
    const [first, second] = having('failed', ran).map((id) => ran.tests.get(id)?.message ?? '')
    expect(first).toMatch(/^ConformanceFailure: No genuine delivery was accepted: all got 401\. .*secret/)
    expect(first).toContain('  Mend ')
    expect(second?.split('\n')).toHaveLength(2)
    expect(ran.output).not.toContain('whsec_of_another_shop')
  })
})

describe('hookproof/vitest where no receiver can be graded', { timeout: 60_000 }, () => {
  test('every test fails with the same line, and nothing else is shown', async () => {
    const ran = await runVitest({ source: grade(`target: 'http://127.0.0.1:${await freePort()}/webhooks'`) })

    expect(ran.code).toBe(1)
    expect(having('failed', ran)).toEqual(casesNeeding(undefined))
    const told = new Set(having('failed', ran).map((id) => ran.tests.get(id)?.message))
    expect([...told]).toEqual([expect.stringMatching(/^HarnessError: could not reach .*ECONNREFUSED.*$/)])
    expect(ran.output).not.toMatch(STACK)
  })

  test('a pattern without a case: the file fails, and says why', async () => {
    const ran = await runVitest({ source: `${EXPRESS_APP}${grade(`target: app, only: ['typo']`)}` })

    expect(ran).toMatchObject({ code: 1, output: expect.stringContaining('"typo" matches no case') })
  })
})

describe("the runner's own choice", { timeout: 60_000 }, () => {
  test('only what is selected on the command line is sent', async () => {
    let deliveries = 0
    const { url } = await serve((_, response) => {
      deliveries += 1
      response.end()
    })
    const ran = await runVitest({
      source: grade(`target: '${url}'`),
      args: ['-t', 'transport/posted-as-json'],
    })

    expect(having('passed', ran)).toEqual(['transport/posted-as-json'])
    // One ahead of the cases, and the one case.
    expect(deliveries).toBe(2)
  })
})
