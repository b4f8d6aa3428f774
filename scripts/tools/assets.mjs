// Copies the files that the compiled code reads and tsc does not emit: schemas, samples, vectors, snippets, templates, styles.
import { cpSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

for (const file of readdirSync('schemas', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(json|yaml)$/.test(name),
)) {
  cpSync(`schemas/${file}`, `dist/schemas/${file}`)
}
cpSync('fixtures/events', 'dist/fixtures/events', { recursive: true })
cpSync('conformance/report/snippets', 'dist/conformance/report/snippets', { recursive: true })
cpSync('fixtures/vectors.json', 'dist/fixtures/vectors.json')
// A thread loads it, which can load TypeScript only in newer versions of Node.js.
cpSync('receiver/inbox/sqlite/sync-thread.mjs', 'receiver/dist/inbox/sqlite/sync-thread.mjs')
for (const folder of [
  'conformance/report/html',
  'cli/commands/init',
  'load/k6',
  'sandbox/store',
  'sandbox/pages',
  'sandbox/checkout',
  'sandbox/dashboard',
]) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') })
}
// The only file of the package that the pages use, with its license.
const pico = dirname(createRequire(import.meta.url).resolve('@picocss/pico/package.json'))
cpSync(`${pico}/css/pico.min.css`, 'dist/sandbox/pages/static/pico.css')
cpSync(`${pico}/LICENSE.md`, 'dist/sandbox/pages/static/pico.LICENSE.md')
