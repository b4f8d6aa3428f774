import { readFileSync } from 'node:fs'
import { Eta } from 'eta'

const eta = new Eta({ autoEscape: false, autoTrim: false })

/** Fills a text template, whose variable is `it`. */
export const filled = (template: URL, data: object): string =>
  eta.renderString(readFileSync(template, 'utf8'), data)
