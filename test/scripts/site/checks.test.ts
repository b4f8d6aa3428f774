import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { CONTRACT } from '../../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import {
  deadFileLinks,
  deadLinks,
  expectedParts,
  markupInText,
  missingParts,
  repositoryScripts,
  scriptBytes,
  weightFaults,
} from '../../../scripts/site/built.ts'

/** A built site with these files. */
function siteWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-site-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

describe('the inventory', () => {
  it('expects a page of each case and each requirement, with a sample', () => {
    const parts = new Set(expectedParts().map(({ page, html }) => `${page}: ${html}`))
    for (const { id } of CATALOGUE) expect(parts).toContain(`cases/${id}.html: class="language-http`)
    for (const { number } of CONTRACT) expect(parts).toContain(`requirements/${number}.html: <h1`)
  })

  it('reports a missing page once, and each missing part of a page', () => {
    const folder = siteWith({ 'a.html': '<h1>One</h1><h2>Two</h2>', 'b.html': '<i></i><i></i>' })
    const parts = [
      { page: 'a.html', html: '<h1' },
      { page: 'a.html', html: '<h3' },
      { page: 'b.html', html: '<i>', times: 2 },
      { page: 'b.html', html: '<i>', times: 3 },
      { page: 'c.html', html: '<h1' },
      { page: 'c.html', html: '<h2' },
    ]
    expect(missingParts(folder, parts)).toEqual([
      'a.html: has "<h3" 0 times, expected 1',
      'b.html: has "<i>" 2 times, expected 3',
      'c.html: the page is missing',
    ])
    expect(missingParts(folder, [])).toEqual(['nothing is expected of the site'])
  })

  it('reports markup that is shown as text, except in code', () => {
    const folder = siteWith({
      'bad.html': '<p>&lt;picture&gt;&lt;source media=""&gt;</p>',
      'good.html': '<p>v1=&lt;hex&gt; <code>&lt;a href&gt;</code></p><pre>&lt;p&gt;</pre>',
    })
    expect(markupInText(folder, ['bad.html', 'good.html'])).toEqual([
      'bad.html: shows markup as text: &lt;picture&gt;&lt;source media=""&gt;',
    ])
  })

  it('reports the scripts of the repository, also where they are highlighted', () => {
    const folder = siteWith({
      'bad.html': '<code>npm <span>run</span> proof</code>',
      'good.html': '<code>npm ci</code>',
    })
    expect(repositoryScripts(folder, ['bad.html', 'good.html'])).toEqual([
      'bad.html: speaks of a script of the repository: npm run proof',
    ])
  })
})

describe('the link checker', () => {
  it('reports missing pages, missing anchors and addresses outside the site', () => {
    const folder = siteWith({
      'index.html':
        '<a href="/base/a">1</a><a href="/base/a#here">2</a><a href="https://example.com/x">3</a>',
      'a.html':
        '<p id="here"></p><a href="./b">1</a><a href="/base/#there">2</a><a href="/other/">3</a><img src="/base/x.png">',
    })
    expect(deadLinks(folder, '/base/')).toEqual([
      'a.html: ./b does not exist',
      'a.html: /base/#there has no such anchor',
      'a.html: /other/ is outside the site',
      'a.html: /base/x.png does not exist',
    ])
  })

  it('reports links to files that the repository does not have', () => {
    const repository = 'https://example.com/o/r'
    const folder = siteWith({
      'a.html': `<a href="${repository}/blob/main/a.html#L1">1</a><a href="${repository}/tree/main/b">2</a><a href="${repository}/issues">3</a>`,
    })
    expect(deadFileLinks(folder, repository, folder)).toEqual([
      `a.html: ${repository}/tree/main/b does not exist in the repository`,
    ])
    expect(deadFileLinks(folder, 'https://example.com/x', folder)).toEqual([
      'no links to files of the repository were found',
    ])
  })

  it('reports a page in which it finds no links, and a site without pages', () => {
    expect(deadLinks(siteWith({ 'a.html': "<a href='b'>1</a>" }), '/base/')).toEqual([
      'a.html: no links were found',
    ])
    expect(deadLinks(siteWith({ 'a.txt': '' }), '/base/')).toEqual(['there are no pages'])
  })
})

describe('the weight', () => {
  it('counts inline scripts, scripts and preloaded modules, each file once', () => {
    const folder = siteWith({
      'a.js': 'a'.repeat(1000),
      'b.js': 'b'.repeat(1000),
      'none.html': '<p></p>',
      'inline.html': '<script>let a</script>',
      'one.html':
        '<script type="module" src="/base/a.js"></script><link rel="modulepreload" href="/base/a.js">',
      'two.html':
        '<script type="module" src="/base/a.js"></script><link rel="modulepreload" href="/base/b.js">',
    })
    const bytes = (page: string) => scriptBytes(folder, '/base/', page)
    expect(bytes('none.html')).toBe(0)
    expect(bytes('inline.html')).toBeGreaterThan(0)
    expect(bytes('one.html')).toBeGreaterThan(0)
    expect(bytes('two.html')).toBe(2 * bytes('one.html'))
  })

  it('reports pages that are too heavy, and those of which nothing was weighed', () => {
    const weights = [
      { page: 'a.html', bytes: 150_000 },
      { page: 'b.html', bytes: 150_001 },
      { page: 'c.html', bytes: 0 },
      { page: 'sample-report.html', bytes: 150_001 },
    ]
    expect(weightFaults(weights)).toEqual([
      'b.html: 150001 bytes of compressed JavaScript, more than 150000',
      'c.html: no JavaScript was found',
    ])
    expect(weightFaults([])).toEqual(['no page was weighed'])
  })
})
