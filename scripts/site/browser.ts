import { findChromium } from '../../test/browser/chromium.ts'
import { type AxeResults, axe } from '../../test/browser/findings.ts'
import { type Browser, chromium, type Page } from '../../test/browser/launch.ts'

/** The share of the window that may move while the page loads: half of what browsers call good, to see a fault early. */
const MOST_LAYOUT_SHIFT = 0.05
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 100)
})`

/** How much a page has moved since it began to load, if that is too much. */
async function shiftFaults(page: Page): Promise<string[]> {
  const shift = await page.evaluate<number>(LAYOUT_SHIFT)
  return shift > MOST_LAYOUT_SHIFT
    ? [`shifts its layout by ${shift.toFixed(2)} at ${page.viewportSize()?.width} pixels`]
    : []
}

const PICTURES = `[...document.querySelectorAll('.VPContent img')].map((image) => ({
  source: image.getAttribute('src'),
  theme: image.classList.contains('in-dark') ? 'dark' : image.classList.contains('in-light') ? 'light' : undefined,
  isShown: image.getClientRects().length > 0,
  hasSize: image.hasAttribute('width') && image.hasAttribute('height'),
}))`

interface Picture {
  readonly source: string
  readonly theme?: 'dark' | 'light'
  readonly isShown: boolean
  readonly hasSize: boolean
}

/** Which pictures are not those of the theme, or get their place only when they have arrived. */
async function pictureFaults(page: Page, theme: 'dark' | 'light'): Promise<string[]> {
  const pictures = await page.evaluate<Picture[]>(PICTURES)
  return pictures.flatMap((picture) => [
    ...(picture.isShown === ((picture.theme ?? theme) === theme)
      ? []
      : [`${picture.isShown ? 'shows' : 'hides'} ${picture.source}`]),
    ...(picture.hasSize ? [] : [`does not say the size of ${picture.source}`]),
  ])
}

/** What readers search for, with the address that answers it first. */
const FIRST_ANSWERS: Readonly<Record<string, string>> = {
  sandbox: 'docs/sandbox',
  'github action': 'docs/check#in-ci',
  timeout: 'causes/slow_acknowledgment',
  '401': 'docs/troubleshooting',
  ngrok: 'docs/listen',
}

/** What readers search for, with the addresses that answer it, one of which must be among the first. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  flask: ['handlers/flask'],
  django: ['handlers/django'],
  'rest framework': ['handlers/django'],
  laravel: ['handlers/symfony'],
  'express raw body': ['handlers/express'],
  'next.js': ['handlers/next'],
  'signature mismatch': ['debugger'],
  're-serialized': ['causes/body_reserialized'],
  timestamp: ['spec#3-time-window', 'docs/interface#53-webhook-signatures'],
  duplicate: ['spec#7-duplicates'],
  refund: ['docs/interface#6-events', 'spec#9-effects'],
  trust: ['docs/check#what-it-proves'],
  retry: ['docs/inbox', 'docs/interface#48-webhook-delivery'],
  'secret rotation': ['docs/operations#rotating-the-secret'],
}
const FIRST = 3

/** Types what readers search for: the answer must be among the first results. */
async function searchFaults(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage()
  try {
    await page.goto(url)
    await page.getByRole('button', { name: 'Search' }).click()
    const field = page.getByRole('searchbox')
    const faults: string[] = []
    const queries = [
      ...Object.entries(FIRST_ANSWERS).map(([query, answer]) => [query, [answer], 1] as const),
      ...Object.entries(QUERIES).map(([query, answers]) => [query, answers, FIRST] as const),
    ]
    for (const [query, answers, most] of queries) {
      await field.fill('')
      await page.locator('.results .result').first().waitFor({ state: 'detached' })
      await field.fill(query)
      await page.locator('.results .result, .results .no-results').first().waitFor()
      const results = page.locator('.results .result')
      const found = await results.evaluateAll((links) =>
        links.map((link) => String(link.getAttribute('href'))),
      )
      const first = found.slice(0, most).map((href) => href.slice(new URL(url).pathname.length))
      const isAnswered = first.some((address) =>
        answers.some((answer) => address === answer || address.startsWith(`${answer}#`)),
      )
      if (!isAnswered) faults.push(`the search for “${query}” finds first ${first.join(', ') || 'nothing'}`)
    }
    return faults
  } finally {
    await page.close()
  }
}

/** The tabs of the frameworks: an address opens one, the choice lasts, and without scripts all code is shown. */
async function tabFaults(browser: Browser, url: string): Promise<string[]> {
  const faults: string[] = []
  const contexts = [
    await browser.newContext(),
    await browser.newContext({ javaScriptEnabled: false }),
  ] as const
  try {
    const [page, without] = await Promise.all(contexts.map((context) => context.newPage()))
    if (page === undefined || without === undefined) return ['no page was opened']
    const isShown = (id: string) => page.locator(`.chosen > #${id}`).isVisible()
    const open = async (path: string) => {
      await page.goto(`${url}${path}`)
      await page.locator('.frameworks.chosen').waitFor()
    }
    await open('causes/body_reserialized#flask')
    if (!(await isShown('flask')) || (await isShown('express'))) faults.push('#flask does not open Flask')
    await page.getByRole('tab', { name: 'Django', exact: true }).click()
    await page.keyboard.press('ArrowRight')
    const next = await page.evaluate<string>('document.activeElement.textContent.trim()')
    if (!(await isShown('go'))) faults.push(`the arrow key after Django opens ${next}`)
    await open('causes/no_window')
    if (!(await isShown('go'))) faults.push('the choice of a framework does not last')
    await open('causes/csrf_protection')
    if (!(await isShown('django'))) faults.push('without the chosen framework, the first one is not shown')
    await without.goto(`${url}causes/body_reserialized`)
    const sections = without.locator('.frameworks > section')
    const shown = await sections.filter({ visible: true }).count()
    if (shown < 20 || shown !== (await sections.count()))
      faults.push(`without scripts, ${shown} tabs are shown`)
    return faults.map((fault) => `the tabs: ${fault}`)
  } finally {
    for (const context of contexts) await context.close()
  }
}

/** One page of each type. */
const PAGES = [
  '',
  'guide',
  'handlers/',
  'handlers/express',
  'handlers/spring',
  'spec',
  'cases/transport/chunked-in-two',
  'requirements/1.1',
  'causes/body_reserialized',
  'services/stripe',
  'matrix',
  'docs/troubleshooting',
  'docs/check',
  'docs/sandbox',
  'docs/crash',
  'docs/load',
  'docs/interface',
  'docs/proofs',
  'docs/performance',
  'api/receiver',
  'debugger',
]
const WIDTHS = { phone: 390, screen: 1280 }
const SCHEMES = ['light', 'dark'] as const

/**
 * Looks at one page of each type in Chromium, on a phone and on a screen, one light and the other dark, in turn, with and
 * without JavaScript.
 *
 * @returns what is wrong
 */
export async function browserFaults(url: string): Promise<string[]> {
  const executablePath = await findChromium()
  if (executablePath === undefined) return ['Chromium is not on PATH: nothing was tested in a browser']
  // CI runs as root, and then Chromium's sandbox does not start.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const faults: string[] = []
    for (const [at, page] of PAGES.entries()) {
      const schemes = at % 2 === 0 ? SCHEMES : SCHEMES.toReversed()
      for (const [n, [size, width]] of Object.entries(WIDTHS).entries()) {
        const colorScheme = schemes[n] ?? 'light'
        // All pages have the same styles: axe looks at each in one of its views.
        const withAxe = at % 4 < 2 === (n === 0)
        const found = await faultsOf(browser, `${url}${page}`, { width, colorScheme, withAxe })
        faults.push(...found.map((fault) => `/${page}, ${size}, ${colorScheme}: ${fault}`))
      }
      faults.push(...(await faultsWithoutScript(browser, `${url}${page}`)))
    }
    faults.push(...(await tabFaults(browser, url)))
    faults.push(...(await searchFaults(browser, url)))
    return faults
  } finally {
    await browser.close()
  }
}

interface View {
  readonly width: number
  readonly colorScheme: (typeof SCHEMES)[number]
  readonly withAxe: boolean
}

async function faultsOf(
  browser: Browser,
  url: string,
  { width, colorScheme, withAxe }: View,
): Promise<string[]> {
  const viewport = { width, height: 900 }
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
  const faults: string[] = []
  try {
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => faults.push(`error: ${message}`))
    page.on('request', (request) => {
      if (new URL(request.url()).host !== new URL(url).host) faults.push(`requests ${request.url()}`)
    })
    const response = await page.goto(url)
    if (response?.status() !== 200) return [`answers ${response?.status()}`]
    await page.waitForLoadState('load')
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (wide > width) faults.push(`is ${wide} pixels wide`)
    faults.push(...(await shiftFaults(page)))
    faults.push(...(await pictureFaults(page, colorScheme)))
    if (withAxe) faults.push(...(await violations(page)))
    // The skip link is the first stop of the keyboard.
    await page.keyboard.press('Tab')
    const first = await page.evaluate<string>('document.activeElement.textContent.trim()')
    if (first !== 'Skip to content') faults.push(`the first stop of the keyboard is ${JSON.stringify(first)}`)
    return faults
  } finally {
    await context.close()
  }
}

/** Without JavaScript, the text and the links of a page are there. */
async function faultsWithoutScript(browser: Browser, url: string): Promise<string[]> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    const response = await page.goto(url)
    if (response?.status() !== 200) return [`${url}: answers ${response?.status()}`]
    const heading = page.locator('h1').first()
    const isReadable = await heading.isVisible()
    return isReadable ? [] : [`${url}: its heading is not visible without JavaScript`]
  } finally {
    await context.close()
  }
}

/** What violates WCAG at the levels A and AA, or axe's best practices. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate<AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  )
  if (passes.length === 0) return ['axe checked nothing']
  return violations.flatMap(({ id, nodes }) => {
    const [first] = nodes
    return first === undefined
      ? []
      : [`${id}, ${nodes.length} times: ${first.html.slice(0, 200)} ${first.failureSummary}`]
  })
}
