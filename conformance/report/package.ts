import { createRequire } from 'node:module'

/** The version of this package. */
export function packageVersion(): string {
  return manifest().version
}

/** The address of the documentation of a case: a page of the site, which package.json names as `homepage`. */
export function docsUrl(caseId: string): string {
  return new URL(`cases/${caseId}`, manifest().homepage).href
}

/** The address of the page with the commonest mistakes of each framework by their causes. */
export function troubleshootingUrl(): string {
  return new URL('docs/troubleshooting', manifest().homepage).href
}

/** The address of what a receiver of another service answers where `--observe` asks what it has handled. */
export function observingUrl(): string {
  return new URL('docs/services#show-what-you-handled', manifest().homepage).href
}

/** Resolved by package name, so that it is found from the sources and from the built files; Node.js reads it once. */
function manifest(): { readonly version: string; readonly homepage: string } {
  return createRequire(import.meta.url)('hookproof/package.json') as ReturnType<typeof manifest>
}
