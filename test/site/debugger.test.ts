import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { SERVICE_NAMES } from '../../conformance/contracts/service-names.ts'
import { SERVICES } from '../../conformance/contracts/services.ts'
import { findChromium } from '../browser/chromium.ts'
import { requires } from '../support/prerequisites.ts'

const DIST = 'site/.vitepress/dist'
const BASE = '/hookproof/'
/** The body of the page's example, as it was signed. */
const EXAMPLE_BODY = '{"event":"payment.completed","payment_id":"tx_1","amount":"25.00","currency":"USD"}'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

interface Vector {
  readonly name: string
  readonly secret: string | null
  readonly tolerance_seconds: number
  readonly now: number
  readonly body_base64: string
  readonly header: unknown
  readonly expect: { readonly outcome: string; readonly status?: number; readonly code?: string }
}

// The page has one secret and a tolerance of 300 seconds, and a field keeps no line break at the end of a line as it is.
const vectors = (JSON.parse(readFileSync('fixtures/vectors.json', 'utf8')) as Vector[]).filter(
  ({ secret, tolerance_seconds, header, expect: { code = '' } }) =>
    typeof secret === 'string' &&
    secret !== '' &&
    tolerance_seconds === 300 &&
    typeof header === 'string' &&
    !header.includes('\r') &&
    !code.startsWith('body_'),
)

const OTHERS = SERVICE_NAMES.filter((id) => id !== 'payment-service').map((id) => [id, SERVICES[id]] as const)

const executablePath = await findChromium()
const { test } = requires(
  executablePath === undefined
    ? 'chromium is not installed'
    : existsSync(`${DIST}/debugger.html`)
      ? undefined
      : 'the site is not built with `npm run site`',
)

describe('the signature debugger', () => {
  let browser: Browser
  let server: Server
  let origin: string

  beforeAll(async () => {
    // CI runs as root, and then Chromium's sandbox does not start.
    if (executablePath !== undefined)
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    server = createServer(({ url = '' }, response) => {
      const path = join(DIST, decodeURI(url.slice(BASE.length).replace(/[?#].*/, '')) || 'index')
      const file = extname(path) === '' ? `${path}.html` : path
      if (!existsSync(file)) return void response.writeHead(404).end()
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' })
      response.end(readFileSync(file))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.close()
    await browser?.close()
  })

  async function open(options: { colorScheme?: 'light' | 'dark'; width?: number; path?: string } = {}) {
    const { colorScheme = 'light', width = 1200, path = 'debugger' } = options
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(20_000)
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(`${origin}${BASE}${path}`)
    // Before Vue has taken over the page, its buttons do nothing.
    await page.waitForFunction(`document.querySelector('#app').__vue_app__ !== undefined`)
    return { page, errors }
  }

  async function verify(page: Page, { header, body, secret, time }: Record<string, string>) {
    await page.getByLabel('Value of X-Service-Signature').fill(header ?? '')
    await page.getByRole('radio', { name: 'base64' }).check()
    await page.getByLabel('Raw body as base64').fill(body ?? '')
    await page.getByLabel('Signing secret').fill(secret ?? '')
    await page.getByLabel('Time of the verification').fill(time ?? '')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.locator('.verdict p').first().waitFor()
    return page.locator('.verdict').innerText()
  }

  test('judges the signature vectors as a receiver does', async () => {
    const { page, errors } = await open()
    expect(vectors.length).toBeGreaterThan(90)
    for (const { name, header, body_base64, secret, now, expect: wanted } of vectors) {
      const given = { header: String(header), body: body_base64, secret: secret ?? '' }
      const verdict = await verify(page, { ...given, time: String(Math.floor(now)) })
      const status = wanted.status === undefined ? 'Valid.' : `Refused with ${wanted.status}`
      expect(verdict.startsWith(status), `${name}: ${verdict}`).toBe(true)
    }
    expect(errors).toEqual([])
  })

  test('explains the mistake of its example, and shows every step, by keyboard alone', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Example' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.advice').first().waitFor()
    expect(await page.locator('.verdict').innerText()).toContain(
      'The body ends with a line break that was not signed; once that is corrected, the signature matches.',
    )
    const steps = await page.locator('.steps').innerText()
    expect(steps).toContain('000000  31 37 35 30 30 30 30 30 30 30 2e 7b 22 65 76 65  1750000000.{"eve')
    expect(steps).toContain('different')
  })

  test('highlights the bytes that differ, and links to the code that verifies the raw body', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Example' }).click()
    await page.locator('.advice').first().waitFor()
    await page.getByLabel('Raw body as text').fill(EXAMPLE_BODY.replaceAll(':', ': '))
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.locator('.difference').waitFor()
    expect(await page.locator('.difference mark').allTextContents()).toEqual([' ', ' ', ' ', ' '])
    expect(await page.locator('.verdict').innerText()).toContain('94 bytes were signed, and these are 98.')
    const link = page.getByRole('link', { name: 'Code that verifies the raw body' })
    expect(await link.getAttribute('href')).toBe(`${BASE}causes/body_reserialized`)
  })

  test('says of a valid delivery what to compare with the receiver that refuses it', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Example' }).click()
    await page.locator('.advice').first().waitFor()
    await page.getByLabel('Raw body as text').fill(EXAMPLE_BODY)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.locator('.good').first().waitFor()
    const verdict = await page.locator('.verdict').innerText()
    expect(verdict).toContain('Valid.')
    expect(verdict).toContain('If your receiver answered 401 to it')
    expect(verdict).toContain(createHash('sha256').update(EXAMPLE_BODY).digest('hex'))
    expect(verdict).not.toContain('whsec_example')
  })

  for (const [id, contract] of OTHERS) {
    test(`explains the mistake of its example for ${id}, and accepts the delivery without it`, async () => {
      const { page, errors } = await open()
      await page.getByLabel('Service', { exact: true }).selectOption(id)
      await page.getByRole('button', { name: 'Example' }).click()
      await page.locator('.advice').first().waitFor()
      const verdict = page.locator('.verdict')
      expect(await verdict.innerText()).toMatch(/^Refused: /)
      expect(await verdict.innerText()).toContain('The body ends with a line break that was not signed')
      const { header, digest, stamps } = contract.scheme
      const headers = [header.name, stamps?.id, stamps?.time].filter((name) => name !== undefined)
      for (const name of headers) expect(await page.getByLabel(`Value of ${name}`).inputValue()).not.toBe('')
      const body = page.getByLabel('Raw body as text')
      await body.fill((await body.inputValue()).trimEnd())
      await page.getByRole('button', { name: 'Verify', exact: true }).click()
      await page.locator('.good').first().waitFor()
      expect(await verdict.innerText()).toContain(`Valid. Signed as ${contract.title} signs it.`)
      const [given, secret] = await Promise.all(
        [`Value of ${header.name}`, 'Signing secret'].map((label) => page.getByLabel(label).inputValue()),
      )
      expect(await page.locator('.steps dd').first().innerText()).toHaveLength(digest === 'hex' ? 64 : 44)
      expect(given).toContain(await page.locator('.steps dd').first().innerText())
      expect(await verdict.innerText()).not.toContain(secret)
      expect(errors).toEqual([])
    })
  }

  test('puts the parts of a pasted request into the fields, and chooses its service', async () => {
    const { page, errors } = await open()
    const [, github] = OTHERS.find(([id]) => id === 'github') ?? []
    const name = github?.scheme.header.name ?? ''
    const paste = (text: string) =>
      page.evaluate(`
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', ${JSON.stringify(text)})
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        document.querySelector('#header').dispatchEvent(event)
      `)
    const older = `${github?.scheme.older?.header.name}: sha1=ab`
    await paste(`POST / HTTP/1.1\r\n${older}\r\n${name.toLowerCase()}: sha256=ab\r\n\r\n{"a":1}`)
    expect(await page.getByLabel('Service', { exact: true }).inputValue()).toBe('github')
    expect(await page.getByLabel(`Value of ${name}`).inputValue()).toBe('sha256=ab')
    expect(await page.getByLabel('Raw body as text').inputValue()).toBe('{"a":1}')
    await page.getByLabel('Signing secret').fill('a secret')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('is for older receivers and was not verified').waitFor()
    await paste(`curl http://localhost/ -H 'X-Service-Signature: t=1,v1=ab' --data-raw $'a\\r\\nb'`)
    expect(await page.getByLabel('Value of X-Service-Signature').inputValue()).toBe('t=1,v1=ab')
    expect(await page.getByLabel('Raw body as base64').inputValue()).toBe(btoa('a\r\nb'))
    await page.locator('#header').fill('x-service-signature: t=1750000000,v1=cd')
    await page.getByLabel('Signing secret').fill('whsec_example')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.locator('.steps').waitFor()
    expect(await page.locator('#header').inputValue()).toBe('t=1750000000,v1=cd')
    expect(errors).toEqual([])
  })

  test('another service clears what belongs to the example, and keeps what a person has typed', async () => {
    const { page } = await open()
    const header = page.locator('#header')
    await page.getByRole('button', { name: 'Example' }).click()
    await page.locator('.advice').first().waitFor()
    await page.getByLabel('Service', { exact: true }).selectOption('github')
    expect(await header.inputValue()).toBe('')
    expect(await page.locator('.steps').count()).toBe(0)
    expect(await page.getByLabel('Time of the verification').count()).toBe(0)
    await header.fill('sha256=ab')
    await page.getByLabel('Service', { exact: true }).selectOption('stripe')
    expect(await header.inputValue()).toBe('sha256=ab')
  })

  test('verifies another header at the present time, or as of its t', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Example' }).click()
    await page.locator('.advice').first().waitFor()
    await page.getByLabel('Value of X-Service-Signature').fill(`t=1750000001,v1=${'0'.repeat(64)}`)
    expect(await page.getByLabel('Time of the verification').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByRole('button', { name: 'Verify as of t=1750000001' }).click()
    await page.getByText('Refused with 401').waitFor()
    expect(await page.locator('.verdict').innerText()).toContain('a text field turns CRLF into LF')
  })

  test('warns of a line break in a pasted secret', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Example' }).click()
    await page.locator('.advice').first().waitFor()
    await page.getByLabel('Raw body as text').fill(EXAMPLE_BODY)
    await page.getByLabel('Signing secret').focus()
    await page.evaluate(`
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'whsec_example\\n')
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    `)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('The pasted secret ends with a line break').waitFor()
  })

  test('connects to nothing, whichever page was open before', async () => {
    for (const path of ['debugger', 'guide']) {
      const { page } = await open({ path })
      if (path === 'guide') {
        await page.getByRole('link', { name: 'Signature debugger' }).first().click()
        await page.getByRole('button', { name: 'Verify' }).waitFor()
      }
      const blocked = await page.evaluate(
        `Promise.all([fetch('/'), fetch('https://example.com/')].map((sent) => sent.then(() => 'sent', () => 'blocked')))`,
      )
      expect(blocked, path).toEqual(['blocked', 'blocked'])
    }
  })

  test('fits a phone, and axe finds nothing, in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ colorScheme, width: 390 })
      await page.getByLabel('Service', { exact: true }).selectOption('standard-webhooks')
      await page.getByRole('button', { name: 'Example' }).click()
      await page.locator('.advice').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth'), colorScheme).toBe(390)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<AxeResults>(`axe.run(document.querySelector('main'))`)
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        colorScheme,
      ).toEqual([])
    }
  })
})
