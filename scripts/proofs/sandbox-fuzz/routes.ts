import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** What a request may be made of. */
export interface Route {
  readonly methods: readonly string[]
  readonly path: string
  /** Names of query parameters. */
  readonly query?: readonly string[]
  /** Valid JSON bodies. */
  readonly json?: readonly object[]
  /** The fields of a form, with valid values. */
  readonly form?: Readonly<Record<string, readonly string[]>>
}

type Part = 'api' | 'control' | 'dashboard' | 'other'

const file: Readonly<Record<Part, Route[]> & { streams: string[] }> = parse(
  readFileSync(new URL('routes.yaml', import.meta.url), 'utf8'),
)

const BACK = ['/dashboard/tea-house/events', '//elsewhere.example']

/** What the sandbox serves, except for its endless streams. */
export const ROUTES: readonly Route[] = [
  ...file.api,
  ...file.control,
  ...file.dashboard.map((route) => ({ ...route, path: `/dashboard/tea-house${route.path}` })),
  ...file.other,
].map((route) => (route.form === undefined ? route : { ...route, form: { ...route.form, back: BACK } }))

/** Responses that do not end. */
export const STREAMS: readonly string[] = file.streams
