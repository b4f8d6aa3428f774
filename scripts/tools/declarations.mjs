// Removes the declarations of internal modules from dist: those that no export of package.json reaches.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The files that an entry of `exports` names, whatever its conditions. */
const filesOf = (entry) =>
  typeof entry === 'string' ? [entry] : Object.values(entry ?? {}).flatMap((value) => filesOf(value))

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
const modules = filesOf(exports).filter((file) => /\.[jt]s$/.test(file))
const reached = new Set(modules.map((file) => declarationOf(resolve(file))))
for (const file of reached) {
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
    reached.add(declarationOf(join(dirname(file), path)))
  }
}
for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const path = resolve('dist', file)
  if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path)
}

function declarationOf(module) {
  return module.replace(/(\.d)?\.[jt]s$/, '.d.ts')
}
