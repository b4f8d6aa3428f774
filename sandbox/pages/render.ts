import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Response } from 'express'
import { type AssetName, assetUrl } from './assets.ts'
import { HELPERS } from './helpers.ts'

/** A template may include one of another folder of the sandbox: their names begin with a slash then. */
const templates = new Eta({ views: fileURLToPath(new URL('..', import.meta.url)), cache: true })

/** A page to be sent. */
export interface Page {
  /** The path of the template in the folder `sandbox`, without its ending: `/checkout/pay`. */
  readonly template: string
  /** What the template reads as `it`, beside {@link HELPERS} and `asset`. */
  readonly data?: object
  readonly status?: number
}

/**
 * Sends a page. Templates write values escaped by `<%= … %>`; `<%~ … %>` is for markup of ours alone. Each begins with
 * `layout('/pages/layout', { title, … })`: see layout.eta for what it takes.
 */
export function sendPage(response: Response, { template, data = {}, status = 200 }: Page): void {
  const asset = (name: AssetName) => assetUrl(name)
  response
    .status(status)
    .type('html')
    .send(templates.render(template, { ...HELPERS, asset, ...data }))
}
