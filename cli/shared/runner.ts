import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Io, pathOf } from './io.ts'

/** The package managers that have a command of their own for an installed program, and their lock files. */
const MANAGERS = {
  pnpm: { locks: ['pnpm-lock.yaml'], runs: 'pnpm exec' },
  // With Plug'n'Play, there is no node_modules in which npx would find it.
  yarn: { locks: ['yarn.lock'], runs: 'yarn' },
  bun: { locks: ['bun.lock', 'bun.lockb'], runs: 'bunx' },
  npm: { locks: ['package-lock.json', 'npm-shrinkwrap.json'], runs: 'npx' },
} as const

/**
 * A text with the commands of hookproof as the project in the working directory runs them: through its package manager, if its
 * package.json lists hookproof. Otherwise through npx, which downloads it.
 *
 * @param text has them as `npx hookproof check`
 */
export function inProject(text: string, io: Pick<Io, 'cwd'>): string {
  const { dependencies, devDependencies } = manifestIn(io.cwd)
  if (!('hookproof' in { ...dependencies, ...devDependencies })) return text
  return text.replaceAll('npx hookproof', `${runnerIn(pathOf(io, '.'))} hookproof`)
}

/** What runs programs there: by package.json or a lock file, which a workspace has in a folder above. */
function runnerIn(folder: string): string {
  const named = String(manifestIn(folder).packageManager).split('@')[0]
  const managers = Object.entries(MANAGERS)
  const [, found] =
    managers.find(([name]) => name === named) ??
    managers.find(([, { locks }]) => locks.some((lock) => existsSync(join(folder, lock)))) ??
    []
  if (found !== undefined) return found.runs
  return dirname(folder) === folder ? MANAGERS.npm.runs : runnerIn(dirname(folder))
}

/** A package.json; an empty one when it is absent or invalid. */
function manifestIn(folder: string): Manifest {
  try {
    return Object(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
  } catch {
    return {}
  }
}

interface Manifest {
  readonly dependencies?: object
  readonly devDependencies?: object
  /** Such as `pnpm@10.33.0`. */
  readonly packageManager?: unknown
}
