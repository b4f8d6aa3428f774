// Copies what the compiled code reads beside itself and tsc does not emit: JSON Schemas, samples and vectors.
import { cpSync, readdirSync } from 'node:fs'

for (const file of readdirSync('schemas').filter((name) => name.endsWith('.json'))) {
  cpSync(`schemas/${file}`, `dist/schemas/${file}`)
}
cpSync('fixtures/events', 'dist/fixtures/events', { recursive: true })
cpSync('fixtures/vectors.json', 'dist/fixtures/vectors.json')
