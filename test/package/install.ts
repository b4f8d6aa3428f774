import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** The package as it was packed and installed. */
export interface Installed {
  readonly tarball: string
  /** The folder into which it was installed, and nothing else. */
  readonly folder: string
  /** The package's own folder in there. */
  readonly root: string
  readonly remove: () => void
}

/** What a program left. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Packs this repository and installs the tarball into an empty folder. @throws with npm's own words. */
export async function packAndInstall(): Promise<Installed> {
  const place = mkdtempSync(join(tmpdir(), 'hookproof-package-'))
  const remove = () => rmSync(place, { recursive: true, force: true })
  try {
    await npm(REPOSITORY, 'pack', '--pack-destination', place)
    const [name = ''] = readdirSync(place)
    const tarball = join(place, name)
    const folder = join(place, 'consumer')
    await npm(place, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', tarball)
    return { tarball, folder, root: join(folder, 'node_modules/hookproof'), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Runs a program to its end, without a shell. */
export function run(cwd: string, program: string, ...args: readonly string[]): Promise<Outcome> {
  const env = { ...process.env, HOOKPROOF_SECRET: undefined, NO_COLOR: '1' }
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
  })
}

/** Runs ES module source as a file of a folder, so that it imports what is installed there. */
export async function runSource(folder: string, source: string): Promise<Outcome> {
  return run(folder, process.execPath, '--input-type=module', '--eval', source)
}

/** Writes files and compiles them as a strict consumer would; nothing is left unchecked. */
export async function compile(folder: string, files: Readonly<Record<string, string>>): Promise<Outcome> {
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
  return run(folder, process.execPath, tsc, ...options, ...Object.keys(files))
}

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(cwd, 'npm', ...args)
  if (code !== 0) throw new Error(`npm ${args[0]} ended with status ${code}:\n${stdout}${stderr}`)
}
