import GithubSlugger from 'github-slugger'

/** What readers search for, where the heading has another word: they are added to it in the index of the search alone. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'SPEC.md': {
    '3. Time window': 'timestamp too old, timestamp in the future',
    '7. Duplicates': 'duplicate, idempotency, retry',
    '9. Effects': 'refund, chargeback, fulfillment',
    '12. Bypassing verification': 'security',
  },
  'docs/interface.md': {
    '4.8 Webhook delivery': 'retry, redelivery',
    '5.3 Webhook signatures': 'timestamp t, Unix timestamp',
    '6. Events': 'completed, refund, refunded, chargeback, partial',
  },
  'docs/decisions/0003-deduplication-key.md': { '*': 'duplicate, idempotency, refund' },
  'docs/check.md': {
    'In CI': 'GitHub Action, GitHub Actions',
    'What it proves': 'trust a verdict, reliable',
  },
  'docs/inbox.md': { 'Event lifecycle': 'duplicate, retry, refund' },
  'docs/operations.md': { 'Rotating the secret': 'rotation' },
  'docs/codes.md': { '*': '400, 401, 413, 503' },
  'docs/troubleshooting.md': { '400 or 401 for valid deliveries?': '401 unauthorized, 401' },
  'docs/sandbox.md': { '*': 'sandbox, local sandbox' },
  'docs/listen.md': { 'From a service': 'tunnel, ngrok, cloudflared' },
  'site/pages/causes/body_reserialized.md': { '*': 're-serialized, reserialized, JSON.stringify' },
  'site/pages/causes/slow_acknowledgment.md': { '*': 'timeout, timed out' },
  'site/debugger.md': { '*': 'signature mismatch, 401' },
}

/**
 * The part of a page that the search indexes. Left out is what nobody searches for and what would hide the rest: the bytes
 * of samples, what each case has in common with all others, the members of each type, and lists of case ids.
 *
 * @param path of the Markdown file in the repository
 */
export function searchable(source: string, path: string): string {
  const kind = /^site\/pages\/(\w+)\//.exec(path)?.[1]
  // A longer title, without the sentence of the contract: otherwise the cases of a subject hide the guides about it.
  if (kind === 'cases') {
    const [, number] = /requirement \[([\d.]+)\]/.exec(source) ?? []
    return withWords(upTo(source, '## What must come back').replace(/^> .*$/m, ''), {
      '*': `case of requirement ${number}`,
    })
  }
  if (kind === 'causes') return withWords(upTo(source, '## Code'), WORDS[path] ?? {})
  if (kind === 'services') return upTo(source, '## Check your handler')
  if (kind === 'requirements') return upTo(source, '## Cases')
  if (kind === 'handlers') return upTo(source, '## Try it and grade it')
  if (kind === 'api') return source.replace(/^#{4,} [^]*?(?=^#{1,3} |(?![^]))/gm, '')
  if (path === 'CHANGELOG.md') return source.split('\n## ', 1)[0] ?? ''
  if (path === 'docs/kill-matrix.md') return upTo(source, '## MUST cases that only')
  return withWords(source, WORDS[path] ?? {})
}

const upTo = (source: string, heading: string): string => source.split(`\n${heading}`, 1)[0] ?? ''

/** Adds words to headings, `*` being that of the page; the address of each stays. @throws Error if one does not exist */
function withWords(source: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((text, [heading, more]) => {
    const lines = text.split('\n')
    const at = lines.findIndex((line) =>
      heading === '*' ? line.startsWith('# ') : line.replace(/^#+ /, '') === heading && line.startsWith('#'),
    )
    const line = lines[at]
    if (line === undefined) throw new Error(`the search finds no heading “${heading}”`)
    const anchor = new GithubSlugger().slug(line.replace(/^#+ /, ''))
    return lines.with(at, `${line} (${more}) {#${anchor}}`).join('\n')
  }, source)
}
