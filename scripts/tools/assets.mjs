// Copies the files that the compiled code reads and tsc does not emit: schemas, samples, vectors, templates.
import { cpSync, readdirSync } from 'node:fs'

for (const file of readdirSync('schemas', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(json|yaml)$/.test(name),
)) {
  cpSync(`schemas/${file}`, `dist/schemas/${file}`)
}
cpSync('fixtures/events', 'dist/fixtures/events', { recursive: true })
cpSync('fixtures/vectors.json', 'dist/fixtures/vectors.json')
// A thread loads it, which can load TypeScript only in newer versions of Node.js.
cpSync('receiver/inbox/sqlite/checkpoint-worker.mjs', 'dist/receiver/inbox/sqlite/checkpoint-worker.mjs')
for (const folder of ['conformance/report/html', 'sandbox/pages', 'sandbox/checkout', 'sandbox/dashboard']) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') })
}
