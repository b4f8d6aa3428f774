// Removes the declarations of internal modules from the build of a package: those that none of its exports reaches.
//   node scripts/tools/declarations.mjs <folder of the package> ...
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

for (const folder of process.argv.slice(2)) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const modules = filesOf(exports).filter((file) => /\.[jt]s$/.test(file))
  const reached = new Set(modules.map((file) => declarationOf(resolve(folder, file))))
  for (const file of reached) {
    // The tests of the packages report an export of a file that does not exist.
    if (!existsSync(file)) continue
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
      reached.add(declarationOf(join(dirname(file), path)))
    }
  }
  const dist = resolve(folder, 'dist')
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, file)
    if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path)
  }
}

/** The files that an entry of `exports` names, whatever its conditions. */
function filesOf(entry) {
  return typeof entry === 'string' ? [entry] : Object.values(entry ?? {}).flatMap((value) => filesOf(value))
}

function declarationOf(module) {
  return module.replace(/(\.d)?\.[jt]s$/, '.d.ts')
}
