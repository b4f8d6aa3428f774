import { createRequire } from 'node:module'

let homepage: string | undefined

/** The address of the documentation of a case: a page of the site, which package.json names as `homepage`. */
export function docsUrl(caseId: string): string {
  homepage ??= (createRequire(import.meta.url)('hookproof/package.json') as { homepage: string }).homepage
  return new URL(`cases/${caseId}`, homepage).href
}
