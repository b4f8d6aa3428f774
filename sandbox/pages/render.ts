import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { type RequestHandler, type Response, Router } from 'express'

/** Names that start with a slash are relative to the folder `sandbox`. */
const templates = new Eta({ views: fileURLToPath(new URL('..', import.meta.url)), cache: true })

interface Page {
  /** The path of the template in the folder `sandbox`, without the extension: `/checkout/page`. */
  readonly template: string
  /** The template's variable `it`, in addition to {@link HELPERS} and `asset`. */
  readonly data?: object
  readonly status?: number
}

/**
 * Renders and sends a page. Templates print values with `<%= … %>`, which escapes them; `<%~ … %>` is only for trusted
 * markup. Each template starts with `layout('/pages/layout', { title, … })`; layout.eta lists the parameters.
 */
export function sendPage(response: Response, { template, data = {}, status = 200 }: Page): void {
  const asset = (name: string) => assetOf(name).url
  response
    .status(status)
    .type('html')
    .send(templates.render(template, { ...HELPERS, asset, ...data }))
}

/** Pico.css embeds its icons as data: images. Everything else comes from the sandbox, and nothing is inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sets the security headers of every page. */
export const pageHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    // Not no-referrer: browsers would then send `Origin: null` with the page's own forms, which the guard rejects.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Pages contain secrets and quickly become outdated.
    'Cache-Control': 'no-store',
  })
  next()
}

/** The style sheets and scripts of the pages, which load nothing from other hosts. */
const STATIC = fileURLToPath(new URL('static/', import.meta.url))
const ASSETS = ['pico.css', ...readdirSync(STATIC).filter((name) => /^(?!pico).*\.(css|js|svg)$/.test(name))]

/** The build contains a copy, so that users of hookproof do not install the package: it has 20 MB of other styles. */
const fileOf = (name: string): string =>
  name === 'pico.css' && import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('@picocss/pico/css/pico.min.css')
    : STATIC + name

const loaded = new Map<string, { bytes: Buffer; url: string }>()

/** An asset. Its URL changes with the content, so browsers can cache it forever. */
function assetOf(name: string): { bytes: Buffer; url: string } {
  const cached = loaded.get(name)
  if (cached !== undefined) return cached
  const bytes = readFileSync(fileOf(name))
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const asset = { bytes, url: `/assets/${name}?v=${version}` }
  loaded.set(name, asset)
  return asset
}

/** Serves the style sheets and scripts of the pages; mount it at /assets. */
export function assetRoutes(): Router {
  const router = Router()
  for (const name of ASSETS) {
    router.get(`/${name}`, (_request, response) => {
      response
        .set('Cache-Control', 'public, max-age=31536000, immutable')
        .set('X-Content-Type-Options', 'nosniff')
        .type(name)
        .send(assetOf(name).bytes)
    })
  }
  return router
}

/**
 * Returns a helper that writes sandbox times as markup: relative to `now` within a day, otherwise UTC; the title is always
 * UTC. static/times.js keeps them current, and writes older times as local ones.
 */
export const relativeTimes =
  (now: number) =>
  (ms: number): string => {
    const iso = new Date(ms).toISOString()
    const text = relativeText(ms - now) ?? utcOf(iso)
    return `<time datetime="${iso}" title="${utcOf(iso)} UTC" data-relative>${text}</time>`
  }

/** `5 min ago`, `in 2 h`; undefined for a day or more. */
function relativeText(ms: number): string | undefined {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds >= 86_400) return undefined
  if (seconds === 0) return 'now'
  const amount =
    seconds < 60
      ? `${seconds} s`
      : seconds < 3600
        ? `${Math.floor(seconds / 60)} min`
        : `${Math.floor(seconds / 3600)} h`
  return ms < 0 ? `${amount} ago` : `in ${amount}`
}

const utcOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`

/** Formatting functions for templates and messages. */
export const HELPERS = {
  /** Sandbox time, in milliseconds since 1970, as markup: UTC, to the second. */
  exactTime: (ms: number): string => {
    const iso = new Date(ms).toISOString()
    return `<time datetime="${iso}">${utcOf(iso)}</time>`
  },

  /** The same with its zone; static/times.js writes it as local time unless the person chose UTC. */
  axisTime: (ms: number): string => {
    const iso = new Date(ms).toISOString()
    return `<time datetime="${iso}" data-exact>${utcOf(iso)} UTC</time>`
  },

  /** A duration in milliseconds, in its two largest units: `1 d 2 h`, `350 ms`. */
  duration: (ms: number): string =>
    ms < 1000
      ? `${Math.round(ms)} ms`
      : largestUnits(ms)
          .map(({ count, unit }) => `${count} ${unit.symbol}`)
          .join(' '),

  /** A duration of at least a second, spelled out: `1 day 2 hours`. */
  durationInWords: (ms: number): string =>
    largestUnits(ms)
      .map(({ count, unit }) => HELPERS.count(count, unit.name))
      .join(' '),

  /** A state of deliveries, as people read it. */
  stateName: (state: string): string => (state === 'faulty' ? 'wrong on purpose' : state),

  /** A number and its noun: `1 delivery`, `2 deliveries`. */
  count: (number: number, singular: string, plural = `${singular}s`): string =>
    `${number.toLocaleString('en-US')} ${number === 1 ? singular : plural}`,
} as const

const UNITS = [
  { symbol: 'd', name: 'day', ms: 86_400_000 },
  { symbol: 'h', name: 'hour', ms: 3_600_000 },
  { symbol: 'min', name: 'minute', ms: 60_000 },
  { symbol: 's', name: 'second', ms: 1000 },
] as const

function largestUnits(ms: number): { unit: (typeof UNITS)[number]; count: number }[] {
  const parts = UNITS.map((unit, index) => {
    const larger = UNITS[index - 1]?.ms ?? Infinity
    return { unit, count: Math.floor((ms % larger) / unit.ms) }
  })
  const first = parts.findIndex(({ count }) => count > 0)
  return parts.slice(first, first + 2).filter(({ count }) => count > 0)
}
