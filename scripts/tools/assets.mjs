// Copies what the compiled code reads beside itself and tsc does not emit: schemas, samples, vectors, pages.
import { cpSync, readdirSync } from 'node:fs'

for (const file of readdirSync('schemas', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(json|yaml)$/.test(name),
)) {
  cpSync(`schemas/${file}`, `dist/schemas/${file}`)
}
cpSync('fixtures/events', 'dist/fixtures/events', { recursive: true })
cpSync('fixtures/vectors.json', 'dist/fixtures/vectors.json')
for (const folder of ['pages', 'checkout', 'dashboard'].map((name) => `sandbox/${name}`)) {
  cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('.ts') })
}
