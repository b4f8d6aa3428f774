import { createRequire } from 'node:module'

/** The version of this package. */
export function packageVersion(): string {
  return manifest().version
}

/** The address of the documentation of a case: a page of the site, which package.json names as `homepage`. */
export function docsUrl(caseId: string): string {
  return new URL(`cases/${caseId}`, manifest().homepage).href
}

/** The address of the page of a cause, where it shows the code for the framework if that is known. */
export function causeUrl(code: string, framework?: string): string {
  return new URL(`causes/${code}${framework === undefined ? '' : `#${framework}`}`, manifest().homepage).href
}

/** The address of what a receiver of another service answers where `--observe` asks what it has handled. */
export function observingUrl(): string {
  return new URL('docs/services#show-what-you-handled', manifest().homepage).href
}

/** Resolved by package name, so that it is found from the sources and from the built files; Node.js reads it once. */
function manifest(): { readonly version: string; readonly homepage: string } {
  return createRequire(import.meta.url)('hookproof/package.json') as ReturnType<typeof manifest>
}
