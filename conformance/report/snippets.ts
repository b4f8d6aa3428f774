import { readFileSync } from 'node:fs'
import type { ConformanceReport } from '../../schemas/types.ts'

/** Every framework that has snippets, each in a file of `snippets/`. */
export const FRAMEWORKS = [
  'express',
  'fastify',
  'next',
  'nest',
  'hono',
  'koa',
  'flask',
  'fastapi',
  'django',
  'go',
  'spring',
  'rails',
  'sinatra',
  'webrick',
  'laravel',
  'php',
  'aspnet',
  'axum',
] as const

/** The name of a framework, as `--framework` takes it. */
export type Framework = (typeof FRAMEWORKS)[number]

/** What a snippet shows. */
export type Topic =
  /** Reads the raw body, verifies its signature and its age, and refuses with the status that says why. */
  | 'handler'
  /** Parses the verified body, and refuses what is not an event: lines after the last check of the handler. */
  | 'parsing'
  /** Handles an event once, with a unique key in any SQL database with `ON CONFLICT`, such as Postgres and SQLite. */
  | 'once'

/** Code in a framework or a language: an entire handler, or lines that stand inside one. */
export interface Snippet {
  /** The framework as people write it. */
  readonly title: string
  /** For highlighting in Markdown. */
  readonly language: string
  /** Needs only what every program in this framework has. */
  readonly code: string
  /** The beginning of the code of a handler: what it imports, and where the secret comes from. */
  readonly setup: string
  /** The rest of the code, in parts. The second of three verifies the raw body, which the first has read, and the third acknowledges. */
  readonly parts: readonly string[]
}

/** Which code helps against which cause, by the start of the cause's code. */
const BY_CAUSE: readonly (readonly [start: string, topic: Topic])[] = [
  ['body_', 'handler'],
  ['content_type_required', 'handler'],
  ['signed_text_differs', 'handler'],
  ['signature_', 'handler'],
  ['other_function_accepted', 'handler'],
  ['no_verification', 'handler'],
  ['unsigned_accepted', 'handler'],
  ['one_refusal_status', 'handler'],
  ['statuses_swapped', 'handler'],
  ['wrong_refusal_status', 'handler'],
  ['refusal_with_5xx', 'handler'],
  ['refusals_acknowledged', 'handler'],
  ['entries_', 'handler'],
  ['label_by_prefix', 'handler'],
  ['unknown_labels_refused', 'handler'],
  ['t_parsed_leniently', 'handler'],
  ['no_window', 'handler'],
  ['window_', 'handler'],
  ['future_refused', 'handler'],
  ['milliseconds', 'handler'],
  ['deduplicated_', 'once'],
  ['no_deduplication', 'once'],
  ['not_atomic', 'once'],
]

/** The code about a topic; undefined where it depends on the framework and that is not known. */
export function snippetOf(topic: Topic, framework: Framework | undefined): Snippet | undefined {
  const name = topic === 'once' ? 'sql' : framework
  if (name === undefined) return undefined
  const text = readFileSync(new URL(`snippets/${name}.md`, import.meta.url), 'utf8')
  const blocksOf = (heading: string) => {
    const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
    return [...section.matchAll(/^```(\w+)\n(.*?)\n```$/gms)]
  }
  const blocks = blocksOf(topic)
  const parts = blocks.map(([, , code = '']) => code)
  const [[, , setup = ''] = []] = topic === 'handler' ? blocksOf('setup') : []
  const [, language = ''] = blocks[0] ?? []
  const [, title = ''] = /^# (.*)$/m.exec(text) ?? []
  return {
    title: topic === 'parsing' ? `${title}, after the signature check` : title,
    language,
    code: [setup, ...parts].filter((part) => part !== '').join('\n'),
    setup,
    parts,
  }
}

/** What code helps against a cause that these cases show; empty where none does. */
export function topicsOfCause({
  code,
  cases,
  rawBody = false,
}: {
  readonly code: string
  readonly cases: readonly string[]
  readonly rawBody?: boolean
}): readonly Topic[] {
  if (rawBody) return ['handler']
  if (code !== 'error_not_caught')
    return BY_CAUSE.filter(([start]) => code.startsWith(start)).map(([, topic]) => topic)
  // An error of reading the header, or of parsing a body that is validly signed.
  const isAboutHeader = (id: string) => id.startsWith('signature-header/')
  return [
    ...(cases.every(isAboutHeader) ? [] : (['parsing'] as const)),
    ...(cases.some(isAboutHeader) ? (['handler'] as const) : []),
  ]
}

/**
 * What code helps against the failures: by their causes, or against a wrong body if no cause is known. A receiver that answers
 * an odd body with 500 has read it, so other code helps.
 */
export function topicsOf({
  causes = [],
  verdicts,
}: Pick<ConformanceReport, 'causes' | 'verdicts'>): ReadonlySet<Topic> {
  const isAboutBody = verdicts.some(
    ({ case: id, section, outcome, exchanges }) =>
      section === 'body-bytes' &&
      outcome === 'failed' &&
      !exchanges.some(({ answer }) => (answer?.status ?? 0) >= 500) &&
      !causes.some(({ cases }) => cases.includes(id)),
  )
  return new Set([...causes.flatMap(topicsOfCause), ...(isAboutBody ? (['handler'] as const) : [])])
}
