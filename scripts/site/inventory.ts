import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { CONTRACT } from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'
import { CRASH_CASES } from '../../conformance/crash/catalogue.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { readExamples } from '../examples/example.ts'

/** What a built page must contain, so that no part of the site disappears unnoticed. */
interface Part {
  /** The file of the built page. */
  readonly page: string
  /** A text of its HTML. */
  readonly html: string
  /** How often it is there at least; once by default. */
  readonly times?: number
}

/** The pages of each kind, and the parts that a reader expects there. */
export function expectedParts(): Part[] {
  const parts = (page: string, ...texts: string[]): Part[] => texts.map((html) => ({ page, html }))
  const handlers = readExamples()
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )
  return [
    ...parts(
      'index.html',
      'id="grade-your-receiver"',
      'sample-report.html',
      'class="hero-report"',
      'id="why-trust-a-verdict"',
      'class="doors"',
      '/matrix"',
      '/debugger"',
    ),
    ...handlers.flatMap(({ name }) => parts('index.html', `/handlers/${name}"`)),
    ...handlers.flatMap(({ name }) => parts('handlers/index.html', `/handlers/${name}"`)),
    ...handlers.flatMap(({ name }) =>
      parts(
        `handlers/${name}.html`,
        'aria-label="Language"',
        'class="copy"',
        'The trap',
        'class="language-',
        'custom-block-title">Conformant<',
        'id="try-it-and-grade-it"',
      ),
    ),
    ...CATALOGUE.flatMap(({ id, number }) =>
      parts(`cases/${id}.html`, ...CASE_PARTS, `/requirements/${number}"`, 'class="language-http'),
    ),
    ...CRASH_CASES.flatMap(({ id, number }) =>
      parts(`cases/${id}.html`, ...CASE_PARTS, `/requirements/${number}"`),
    ),
    ...CONTRACT.flatMap(({ number }) => parts(`requirements/${number}.html`, '<blockquote>', 'id="cases"')),
    ...CONTRACT.flatMap(({ number }) => parts('spec.html', `>${number}</`, `/requirements/${number}"`)),
    ...[...CATALOGUE, ...CRASH_CASES].flatMap(({ id, number }) =>
      parts('docs/cases.html', `/cases/${id}"`, `/requirements/${number}"`),
    ),
    ...Object.values(MUTANTS).flatMap(({ fails }) =>
      fails.flatMap((id) => parts('docs/kill-matrix.html', `/cases/${id}"`)),
    ),
    ...docs.flatMap((file) => parts(`docs/${file.replace(/\.md$/, '.html')}`, '<h1')),
    ...['guide', 'receiver', 'security', 'contributing', 'changelog'].flatMap((name) =>
      parts(`${name}.html`, '<h1'),
    ),
    ...['receiver', 'conformance', 'sandbox', 'fixtures'].flatMap((name) =>
      parts(`api/${name}.html`, 'id="functions"', 'id="interfaces"'),
    ),
    ...parts('docs/check.html', 'class="language-yaml', 'gh secret set HOOKPROOF_SECRET'),
    ...parts('matrix.html', 'id="examples"', 'id="libraries"', 'id="what-did-not-pass"'),
    ...parts('debugger.html', 'connect-src &#39;none&#39;', 'class="debugger"', 'id="header"', 'id="secret"'),
    ...parts('sample-report.html', '<title>'),
    { page: 'docs/proofs.html', html: CHART, times: 4 },
    { page: 'docs/kill-matrix.html', html: CHART },
    { page: 'docs/performance.html', html: CHART },
  ]
}

const CASE_PARTS = [
  '<strong>Impact:</strong>',
  '<strong>Fix:</strong>',
  'id="what-must-come-back"',
  'id="what-is-sent"',
  'id="grade-only-this-case"',
  'id="receivers-that-fail-it"',
]
const CHART = '<figure class="chart">'

/** The parts that the built pages lack, one line each. */
export function missingParts(folder: string, parts: readonly Part[]): string[] {
  if (parts.length === 0) return ['nothing is expected of the site']
  const read = new Map<string, string | undefined>()
  return parts.flatMap(({ page, html, times = 1 }) => {
    if (!read.has(page)) {
      const file = join(folder, page)
      read.set(page, existsSync(file) ? readFileSync(file, 'utf8') : undefined)
      if (read.get(page) === undefined) return [`${page}: the page is missing`]
    }
    const text = read.get(page)
    const found = text === undefined ? times : text.split(html).length - 1
    return found < times ? [`${page}: has ${JSON.stringify(html)} ${found} times, expected ${times}`] : []
  })
}

/** Markup that is shown as text, as happens to HTML that the renderer does not know. */
export function markupInText(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8').replace(
      /<(pre|code|script|title)\b[^]*?<\/\1>/g,
      '',
    )
    const [tag] = /&lt;\/?(?:a|br|div|img|p|picture|source|span|table|td|tr)\b[^<]{0,40}/.exec(html) ?? []
    return tag === undefined ? [] : [`${page}: shows markup as text: ${tag}`]
  })
}
