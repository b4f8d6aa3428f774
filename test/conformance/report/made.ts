import type { ConformanceReport, ReportExchange, ReportVerdict } from '../../../schemas/types.ts'

/** An exchange; any field can be overridden. */
export const madeExchange = (about: Partial<ReportExchange> = {}): ReportExchange => ({
  label: 'another secret',
  role: 'probe',
  delivery: {
    event: 'payment.completed',
    paymentId: 'tx_1',
    change: 'another secret',
    method: 'POST',
    path: '/webhooks',
    headers: [['X-Service-Signature', 't=1750000000,v1=0123abcd...']],
    body: { text: '{"event":"payment.completed"}', base64: null, bytes: 29, truncated: false },
    transport: null,
  },
  answer: {
    status: 200,
    headers: [['X-Powered-By', 'a test']],
    body: { text: 'thanks', bytes: 6, truncated: false },
    ms: 1.5,
  },
  error: null,
  ...about,
})

/** An exchange with such a response. */
export function answering(
  headers: Readonly<Record<string, string>>,
  text: string,
  status: number,
): ReportExchange {
  const all = Object.entries(headers).map(([name, value]): [string, string] => [name, value])
  return madeExchange({ answer: { status, headers: all, body: { text, bytes: 1, truncated: false }, ms: 1 } })
}

/** A verdict, passed by default; any field can be overridden. */
export const madeVerdict = (about: Partial<ReportVerdict> = {}): ReportVerdict => ({
  case: 'refusals/another-secret',
  section: about.case?.split('/')[0] ?? 'refusals',
  title: 'another secret',
  level: 'MUST',
  outcome: 'passed',
  severity: null,
  spec: { number: '5.1', sentence: 'A receiver MUST refuse what nobody signed.' },
  durationMs: 3,
  problems: [],
  reason: null,
  exchanges: [madeExchange()],
  impact: 'Anyone can report a payment.',
  fix: 'Compare the signatures.',
  reproduce: null,
  ...about,
})

/** A failed verdict. */
export const madeFailure = (
  id: string,
  severity: ReportVerdict['severity'],
  about: Partial<ReportVerdict> = {},
): ReportVerdict =>
  madeVerdict({
    case: id,
    outcome: 'failed',
    severity,
    problems: [{ expected: 'the delivery is refused', received: 'status 200' }],
    reproduce: `npx hookproof send ${id} http://127.0.0.1:3000/webhooks --seed x`,
    ...about,
  })

/** A report with these verdicts and their counts. */
export function madeReport(
  verdicts: readonly ReportVerdict[],
  about: Partial<ConformanceReport> = {},
): ConformanceReport {
  const counts = { passed: 0, failed: 0, warning: 0, inconclusive: 0, untested: 0 }
  for (const { outcome } of verdicts) counts[outcome] += 1
  return {
    hookproof: '0.1.0',
    startedAt: '2026-03-14T09:26:53.000Z',
    durationMs: 412.5,
    target: { url: 'http://127.0.0.1:3000/webhooks', started: false },
    profile: 'full',
    contract: '1.0',
    mode: 'test',
    seed: 'x',
    toleranceSeconds: 300,
    conclusion: counts.failed > 0 ? 'not-conformant' : 'conformant',
    diagnosis: null,
    clockSkewSeconds: 0,
    counts,
    selection: { only: [], skip: [] },
    excluded: [],
    verdicts: [...verdicts],
    ...about,
  }
}

/** Text that would do harm in every format if it were not escaped. */
export const HOSTILE =
  '</pre></details></script><script>alert(1)</script>" onload="x | `code` **bold** [a](javascript:b) @all \u202e\u0007 $x$ <!-- ]]> &amp;'

/** A report in which every free text is hostile. */
export const hostileReport = (): ConformanceReport =>
  madeReport(
    [
      madeFailure('refusals/another-secret', 'security', {
        section: HOSTILE,
        title: HOSTILE,
        spec: { number: '5.1', sentence: HOSTILE },
        problems: [{ expected: HOSTILE, received: `${HOSTILE}\n\n# a heading` }],
        impact: HOSTILE,
        fix: HOSTILE,
        reproduce: HOSTILE,
        exchanges: [
          madeExchange({
            label: HOSTILE,
            delivery: {
              ...madeExchange().delivery,
              method: HOSTILE,
              path: HOSTILE,
              headers: [[HOSTILE, HOSTILE]],
              body: { text: HOSTILE, base64: null, bytes: 9, truncated: true },
              transport: HOSTILE,
            },
            answer: {
              status: 200,
              headers: [[HOSTILE, HOSTILE]],
              body: { text: HOSTILE, bytes: 9, truncated: true },
              ms: 1,
            },
          }),
          madeExchange({ answer: null, error: HOSTILE }),
        ],
      }),
      madeVerdict({ case: 'events/known', outcome: 'untested', reason: HOSTILE }),
    ],
    {
      hookproof: HOSTILE,
      startedAt: HOSTILE,
      seed: HOSTILE,
      diagnosis: HOSTILE,
      target: { url: HOSTILE, started: false },
      excluded: [{ case: 'effects/x', code: 'full_profile', reason: HOSTILE }],
    },
  )

/** What a line of the report's Markdown has, beside code and what the report writes itself, that a renderer takes for more than text. */
export function markedUp(markdown: string): string[] {
  const prose = markdown
    .replace(/^```\w*\n[^]*?\n```$/gm, '')
    .replace(/(?<![\\`])((?:\\\\)*)(`+)(?!`)[^]*?(?<!`)\2(?!`)/g, '$1code')
    .replace(/\[(?:code|About this cause)\]\(https:\/\/hookproof\.github\.io\/[\w/#-]*\)/g, 'link')
    .replaceAll('&#64;<!-- -->', '')
  const escaped = prose.replace(/\\[!-/:-@[-`{-~]/g, '').replace(/\\$/gm, '')
  return escaped.split('\n').flatMap((line) => {
    // Only a row of a table, or the line of dashes that makes one of the line above, gives a bar a meaning.
    const isOfTable = /^\||^[\s:|-]+$/.test(line)
    const own = (isOfTable && line.split('|').length !== 8 ? line : line.replaceAll('|', ''))
      .replace(/^(?:#{2,3} |> |- |  )/, '')
      .replace(/\*\*/g, '')
    return /[`*[\]<>|~$@\\]|:\/\/|^[#=+-]|www\.|##|(?<=^|\s)::|&(?!#\d+;|amp;)/.test(own) ? [line] : []
  })
}
