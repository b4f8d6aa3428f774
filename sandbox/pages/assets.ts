import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'

/** The file of each asset. Pages load nothing from other hosts. */
const FILES = {
  'pico.css': () => pico(),
  'theme.css': () => local('theme.css'),
  'frame.css': () => local('frame.css'),
  'text.css': () => local('text.css'),
  'forms.css': () => local('forms.css'),
  'checkout.css': () => local('../../checkout/checkout.css'),
  'dashboard.css': () => local('../../dashboard/shared/dashboard.css'),
  'lists.css': () => local('../../dashboard/shared/lists.css'),
  'data.css': () => local('../../dashboard/shared/data.css'),
  'charts.css': () => local('../../dashboard/endpoints/charts.css'),
  'live.js': () => local('live.js'),
  'copy.js': () => local('copy.js'),
  'times.js': () => local('times.js'),
  'keys.js': () => local('keys.js'),
  'select.js': () => local('select.js'),
  'place.js': () => local('place.js'),
  'favicon.svg': () => local('favicon.svg'),
} as const

/** The name of a style sheet or script of the pages. */
export type AssetName = keyof typeof FILES

const local = (name: string): string => fileURLToPath(new URL(`static/${name}`, import.meta.url))

/** The build contains a copy, so that users of hookproof do not install the package: it has 20 MB of other styles. */
const pico = (): string =>
  import.meta.url.endsWith('.ts')
    ? createRequire(import.meta.url).resolve('@picocss/pico/css/pico.min.css')
    : local('pico.css')

interface Asset {
  readonly bytes: Buffer
  readonly url: string
}

const loaded = new Map<AssetName, Asset>()

/** The URL of an asset. It changes with the content, so browsers can cache it forever. */
export const assetUrl = (name: AssetName): string => assetOf(name).url

/** Serves the style sheets and scripts of the pages; mount it at /assets. */
export function assetRoutes(): Router {
  const router = Router()
  for (const name of Object.keys(FILES) as AssetName[]) {
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

function assetOf(name: AssetName): Asset {
  const cached = loaded.get(name)
  if (cached !== undefined) return cached
  const bytes = readFileSync(FILES[name]())
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const asset = { bytes, url: `/assets/${name}?v=${version}` }
  loaded.set(name, asset)
  return asset
}
