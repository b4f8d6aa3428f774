import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** The packed and installed package. */
export interface Installed {
  readonly tarball: string
  /** The folder that contains nothing but the installation. */
  readonly folder: string
  /** The folder of the package in `node_modules`. */
  readonly root: string
  readonly remove: () => void
}

/** The result of a program. */
export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Packs this repository, which must be built, and installs the tarball into an empty folder.
 * @throws Error with npm's output
 */
export async function packAndInstall(): Promise<Installed> {
  const temporary = mkdtempSync(join(tmpdir(), 'hookproof-package-'))
  const remove = () => rmSync(temporary, { recursive: true, force: true })
  try {
    // Without scripts, since `prepare` would build again.
    await npm(REPOSITORY, 'pack', '--ignore-scripts', '--pack-destination', temporary)
    const [name = ''] = readdirSync(temporary)
    const tarball = join(temporary, name)
    const folder = join(temporary, 'consumer')
    await npm(
      temporary,
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      tarball,
    )
    return { tarball, folder, root: join(folder, 'node_modules/hookproof'), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Adds packages of this repository to the installation, as a user's project would have them. */
export function addPackages({ folder }: Installed, ...names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules', name), path)
  }
}

/** Runs a program without a shell until it exits. */
export function run(cwd: string, program: string, ...args: readonly string[]): Promise<Outcome> {
  const env = { ...process.env, HOOKPROOF_SECRET: undefined, NO_COLOR: '1' }
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
  })
}

/** Runs ES module source in a folder, so that it imports the packages installed there. */
export async function runSource(folder: string, source: string): Promise<Outcome> {
  return run(folder, process.execPath, '--input-type=module', '--eval', source)
}

/** Writes files and compiles them as a strict consumer would, including the declarations of their dependencies. */
export async function compile(folder: string, files: Readonly<Record<string, string>>): Promise<Outcome> {
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--types', 'node', '--module', 'nodenext', '--target', 'es2022']
  return run(folder, process.execPath, tsc, ...options, ...Object.keys(files))
}

async function npm(cwd: string, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(cwd, 'npm', ...args)
  if (code !== 0) throw new Error(`npm ${args[0]} exited with code ${code}:\n${stdout}${stderr}`)
}
