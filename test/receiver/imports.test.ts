import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The packages and built-in modules that a module loads, directly and through our other modules. */
function loadedBy(entry: string): string[] {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return
    seen.add(url.href)
    const source = readFileSync(url, 'utf8')
    for (const [, clause = '', from = ''] of source.matchAll(
      /^(?:import|export) ([^;]*?)from '([^']+)'/gms,
    )) {
      if (clause.startsWith('type ')) continue
      // Files that users copy import each other as .js, the others as .ts.
      if (from.startsWith('.')) visit(new URL(from.replace(/\.js$/, '.ts'), url))
      else packages.add(from)
    }
  }
  visit(new URL(`../../${entry}`, import.meta.url))
  return [...packages].toSorted()
}

const BUILT_INS = ['crypto', 'fs', 'timers/promises', 'util'].map((name) => `node:${name}`)

test('verify.ts and receive.ts load only node:crypto', () => {
  expect(loadedBy('receiver/verify.ts')).toEqual(['node:crypto'])
  expect(loadedBy('receiver/receive.ts')).toEqual(['node:crypto'])
})

test('the adapters that users copy load at most raw-body', () => {
  expect(loadedBy('receiver/express.ts')).toEqual(['node:crypto', 'raw-body'])
  expect(loadedBy('receiver/fetch.ts')).toEqual(['node:crypto'])
  expect(loadedBy('receiver/fastify.ts')).toEqual(['node:crypto'])
})

test('@hookproof/receiver and its fetch adapter load nothing but Node.js', () => {
  expect(loadedBy('receiver/index.ts')).toEqual(BUILT_INS)
  expect(loadedBy('receiver/limits/limited-fetch.ts').filter((name) => !name.startsWith('node:'))).toEqual([])
})

test('the other adapters load at most raw-body and no framework', () => {
  const packagesOf = (entry: string) => loadedBy(entry).filter((name) => !name.startsWith('node:'))
  expect(packagesOf('receiver/limits/limited-express.ts')).toEqual(['raw-body'])
  expect(packagesOf('receiver/limits/limited-fastify.ts')).toEqual([])
})

test('the server loads only the modules that it always needs', () => {
  const builtins = ['events', 'fs', 'http', 'net', 'timers/promises', 'url'].map((name) => `node:${name}`)
  const receiver = ['@hookproof/receiver', '@hookproof/receiver/express']
  expect(loadedBy('server/server.ts')).toEqual([...receiver, ...builtins, 'pino', 'sonic-boom'])
})
