import { createRequire } from 'node:module'

let homepage: string | undefined

/** The address of the documentation of a case: a page of the site, which package.json names as `homepage`. */
export function docsUrl(caseId: string): string {
  return pageOf(`cases/${caseId}`)
}

/** The address of the page with the commonest mistakes of each framework by their causes. */
export function troubleshootingUrl(): string {
  return pageOf('docs/troubleshooting')
}

function pageOf(path: string): string {
  homepage ??= (createRequire(import.meta.url)('hookproof/package.json') as { homepage: string }).homepage
  return new URL(path, homepage).href
}
