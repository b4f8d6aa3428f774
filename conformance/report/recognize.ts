import type { ReportAnswer, ReportCause, ReportVerdict } from '../../schemas/types.ts'
import { type Language, languageOf } from '../diagnosis/mistakes/serializers.ts'
import type { Said } from '../diagnosis/statement.ts'
import { type Framework, topicsOf } from './snippets.ts'

/** What a response shows of its framework. */
interface Shown {
  readonly status: number
  readonly header: (name: string) => string
  readonly body: string
  /** The body as a JSON object, if it is one. */
  readonly json: Readonly<Record<string, unknown>> | undefined
}

/** Signs that no other framework shows, the most specific first: several run on Express, or on the server of another. */
const SIGNS: readonly (readonly [Framework, (shown: Shown) => boolean])[] = [
  ['next', ({ header }) => /next\.js/i.test(header('x-powered-by'))],
  ['nest', ({ json }) => keysOf(json)[0] === 'message' && typeof json?.['statusCode'] === 'number'],
  [
    'fastify',
    ({ json }) =>
      String(json?.['code']).startsWith('FST_') ||
      (keysOf(json)[0] === 'statusCode' && has(json, 'error', 'message')),
  ],
  ['laravel', ({ header, body }) => /laravel/i.test(header('set-cookie')) || body.includes('Illuminate\\')],
  ['laravel', ({ status }) => status === 419],
  ['php', ({ header }) => /^php\//i.test(header('x-powered-by'))],
  ['express', ({ header }) => /^express$/i.test(header('x-powered-by'))],
  ['express', ({ body }) => /<title>Error<\/title>\s*<\/head>\s*<body>\s*<pre>/.test(body)],
  ['spring', ({ json }) => has(json, 'timestamp', 'status', 'error', 'path')],
  ['aspnet', ({ header }) => /kestrel/i.test(header('server')) || /asp\.net/i.test(header('x-powered-by'))],
  ['django', ({ body }) => body.includes('CSRF verification failed')],
  ['django', ({ header }) => /^wsgiserver/i.test(header('server'))],
  [
    'django',
    // Its security headers, as its default settings send them, also behind a server for production.
    ({ header }) =>
      header('x-frame-options') === 'DENY' &&
      header('referrer-policy') === 'same-origin' &&
      header('cross-origin-opener-policy') === 'same-origin',
  ],
  ['fastapi', ({ header, json }) => /uvicorn|hypercorn/i.test(header('server')) && has(json, 'detail')],
  ['flask', ({ header }) => /^werkzeug/i.test(header('server'))],
  ['sinatra', ({ body }) => /sinatra/i.test(body)],
  ['rails', ({ header }) => header('x-runtime') !== '' && header('x-request-id') !== ''],
  [
    'webrick',
    // Sinatra and Rails send this header, and run on WEBrick too.
    ({ header }) => /^webrick/i.test(header('server')) && header('x-content-type-options') === '',
  ],
  ['axum', ({ body }) => /^Failed to (deserialize|parse) the .*JSON/.test(body)],
  [
    'go',
    ({ header, body }) =>
      header('content-type') === 'text/plain; charset=utf-8' &&
      header('x-content-type-options') === 'nosniff' &&
      header('x-powered-by') === '' &&
      header('server') === '' &&
      body.endsWith('\n'),
  ],
]

/**
 * The frameworks whose code helps, the most likely first: where the handler is the problem, and the framework is named, its
 * responses show it, or the cause gives its language away, which may have several.
 *
 * @param named the framework that the user named
 * @param candidates the causes, with what was observed of them
 */
export function frameworksFor(
  verdicts: readonly ReportVerdict[],
  causes: readonly ReportCause[],
  named: Framework | undefined,
  candidates: readonly Said[] = [],
): readonly Framework[] {
  const topics = topicsOf({ causes: [...causes], verdicts: [...verdicts] })
  if (!topics.has('handler') && !topics.has('parsing')) return []
  const known = named ?? recognize(verdicts)
  return known === undefined ? likelyOf(candidates) : [known]
}

/** The frameworks of a language that do not show themselves in their responses, the most common first. */
const BY_LANGUAGE: Readonly<Record<Language, readonly Framework[]>> = {
  go: ['go'],
  java: ['spring'],
  javascript: ['express', 'fastify', 'next', 'nest', 'hono', 'koa'],
  php: ['php', 'laravel'],
  python: ['flask', 'django', 'fastapi'],
}

function likelyOf(candidates: readonly Said[]): readonly Framework[] {
  const languages = candidates.flatMap((said): Language[] => {
    if (said.code !== 'body_reserialized' || said.data === undefined) return []
    const { by = '', isJavaScript } = said.data
    const language = isJavaScript === true ? 'javascript' : languageOf(by)
    return language === undefined ? [] : [language]
  })
  const [first] = languages
  return first === undefined ? [] : BY_LANGUAGE[first]
}

/** The framework that the responses show; undefined when none is certain. */
export function recognize(verdicts: readonly ReportVerdict[]): Framework | undefined {
  return recognizeAnswers(
    verdicts.flatMap(({ exchanges }) => exchanges.flatMap(({ answer }) => (answer === null ? [] : [answer]))),
  )
}

/** The development server that the responses name: it may fail what the server in production passes. */
export function developmentServerOf(verdicts: readonly ReportVerdict[]): string | undefined {
  return DEVELOPMENT_SERVERS.find((name) =>
    verdicts.some(({ exchanges }) =>
      exchanges.some(
        ({ answer }) => answer !== null && shownBy(answer).header('server').startsWith(`${name}/`),
      ),
    ),
  )
}

/** Those of Django and Flask, as they name themselves. */
const DEVELOPMENT_SERVERS = ['WSGIServer', 'Werkzeug']

/** The part of a response that shows a framework. */
type Telling = Pick<ReportAnswer, 'status' | 'headers'> & { readonly body: { readonly text: string } }

/** The same of responses alone. */
export function recognizeAnswers(answers: readonly Telling[]): Framework | undefined {
  const shown = answers.map(shownBy)
  return SIGNS.find(([, matches]) => shown.some(matches))?.[0]
}

function shownBy({ status, headers, body }: Telling): Shown {
  return {
    status,
    header: (name) => headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '',
    body: body.text,
    json: objectIn(body.text),
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}

function keysOf(json: Shown['json']): string[] {
  return json === undefined ? [] : Object.keys(json)
}

function has(json: Shown['json'], ...keys: string[]): boolean {
  return json !== undefined && keys.every((key) => Object.hasOwn(json, key))
}
