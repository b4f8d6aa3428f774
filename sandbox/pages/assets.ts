import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'

/** Where each asset lies: beside this file, or in the package that it comes from. Nothing is loaded from elsewhere. */
const PLACES = {
  'pico.css': () => createRequire(import.meta.url).resolve('@picocss/pico/css/pico.min.css'),
  'theme.css': () => own('theme.css'),
  'frame.css': () => own('frame.css'),
  'text.css': () => own('text.css'),
  'forms.css': () => own('forms.css'),
  'checkout.css': () => own('../../checkout/checkout.css'),
  'dashboard.css': () => own('../../dashboard/shared/dashboard.css'),
  'lists.css': () => own('../../dashboard/shared/lists.css'),
  'live.js': () => own('live.js'),
  'copy.js': () => own('copy.js'),
} as const

/** The name of a style sheet or script of the pages. */
export type AssetName = keyof typeof PLACES

const own = (name: string): string => fileURLToPath(new URL(`static/${name}`, import.meta.url))

interface Asset {
  readonly bytes: Buffer
  readonly url: string
}

const read = new Map<AssetName, Asset>()

/** The address of an asset. It changes with the content, so that a browser may keep it for ever. */
export const assetUrl = (name: AssetName): string => assetOf(name).url

/** Serves the style sheets and scripts of the pages; to be mounted under /assets. */
export function assetRoutes(): Router {
  const router = Router()
  for (const name of Object.keys(PLACES) as AssetName[]) {
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
  const known = read.get(name)
  if (known !== undefined) return known
  const bytes = readFileSync(PLACES[name]())
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const asset = { bytes, url: `/assets/${name}?v=${version}` }
  read.set(name, asset)
  return asset
}
