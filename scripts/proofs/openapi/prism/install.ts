import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The latest version that runs on every release line of Node.js that this project supports. */
export const PRISM_VERSION = '5.14.2'

const PROGRAM = 'node_modules/@stoplight/prism-cli/dist/index.js'

/**
 * Installs Prism, 90 MB in 185 packages, or finds it in the cache of the user. No script of a package runs.
 * @returns the path of its program, for Node.js
 */
export async function installPrism(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'hookproof')
  const folder = join(cache, `prism-${PRISM_VERSION}`)
  const program = join(folder, PROGRAM)
  if (existsSync(program)) return program
  await mkdir(cache, { recursive: true })
  // Renamed when it is complete, so that an interrupted installation is not found later.
  const incomplete = await mkdtemp(join(cache, 'prism-'))
  try {
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', incomplete]
    await promisify(execFile)('npm', ['install', ...options, `@stoplight/prism-cli@${PRISM_VERSION}`])
    await rename(incomplete, folder).catch((error: unknown) => {
      // Another run may have been faster.
      if (!existsSync(program)) throw error
    })
  } finally {
    await rm(incomplete, { recursive: true, force: true })
  }
  return program
}
