import { createRequire } from 'node:module'

/** The version of this package, resolved by package name so that it works from the sources and from the built files. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('hookproof/package.json') as { version: string }
  return version
}
