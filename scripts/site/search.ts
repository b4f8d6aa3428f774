import type { Browser } from 'playwright-core'

/** What readers search for, with the addresses that answer it. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  flask: ['handlers/flask'],
  django: ['handlers/django'],
  'rest framework': ['handlers/django'],
  laravel: ['handlers/symfony'],
  'express raw body': ['handlers/express'],
  'next.js': ['handlers/next'],
  '401': ['docs/troubleshooting'],
  'signature mismatch': ['debugger'],
  timestamp: ['spec#3-time-window', 'docs/interface#53-webhook-signatures'],
  duplicate: ['spec#7-duplicates'],
  refund: ['docs/interface#6-events', 'spec#9-effects'],
  trust: ['docs/check#what-it-proves'],
  retry: ['docs/inbox', 'docs/interface#48-webhook-delivery'],
  'secret rotation': ['docs/operations#rotating-the-secret'],
}
const FIRST = 3

/** Types what readers search for: the answer must be among the first results. */
export async function searchFaults(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage()
  try {
    await page.goto(url)
    await page.getByRole('button', { name: 'Search' }).click()
    const field = page.getByRole('searchbox')
    const faults: string[] = []
    for (const [query, answers] of Object.entries(QUERIES)) {
      await field.fill('')
      await page.locator('.results .result').first().waitFor({ state: 'detached' })
      await field.fill(query)
      await page.locator('.results .result, .results .no-results').first().waitFor()
      const results = page.locator('.results .result')
      const found = await results.evaluateAll((links) =>
        links.map((link) => String(link.getAttribute('href'))),
      )
      const first = found.slice(0, FIRST).map((href) => href.slice(new URL(url).pathname.length))
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
