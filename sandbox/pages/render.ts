import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import type { Response } from 'express'
import { type AssetName, assetUrl } from './assets.ts'
import { HELPERS } from './helpers.ts'

/** Names that start with a slash are relative to the folder `sandbox`. */
const templates = new Eta({ views: fileURLToPath(new URL('..', import.meta.url)), cache: true })

/** A page to render. */
export interface Page {
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
  const asset = (name: AssetName) => assetUrl(name)
  response
    .status(status)
    .type('html')
    .send(templates.render(template, { ...HELPERS, asset, ...data }))
}
