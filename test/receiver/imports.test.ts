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
      if (from.startsWith('.')) visit(new URL(from, url))
      else packages.add(from)
    }
  }
  visit(new URL(`../../${entry}`, import.meta.url))
  return [...packages].toSorted()
}

test('verify.ts imports only node:crypto', () => {
  expect(loadedBy('receiver/verify.ts')).toEqual(['node:crypto'])
})

test('hookproof/receiver loads no database driver and no framework', () => {
  expect(loadedBy('receiver/index.ts')).toEqual([
    'node:crypto',
    'node:fs',
    'node:http',
    'node:timers/promises',
    'node:util',
    'raw-body',
  ])
})

test('the server loads only the modules that it always needs', () => {
  const builtins = ['crypto', 'events', 'fs', 'http', 'net', 'timers/promises', 'url', 'util']
  expect(loadedBy('server/server.ts')).toEqual([
    'express',
    ...builtins.map((name) => `node:${name}`),
    'pino',
    'raw-body',
  ])
})
