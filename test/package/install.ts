import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stage } from '../../scripts/release/package.ts'
import { executable } from './npm.ts'

const require = createRequire(import.meta.url)

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** The packages of this repository, and the folder of each. */
const FOLDERS = { hookproof: '.', '@hookproof/receiver': 'receiver' } as const

export type PackageName = keyof typeof FOLDERS

/** A packed and installed package. */
export interface Installed {
  readonly tarball: string
  /** Those of the packages of this repository that it needs. */
  readonly others: readonly string[]
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
 * Packs this repository, which must be built, and installs a package into an empty folder: `@hookproof/receiver` alone, or
 * `hookproof` with it.
 * @throws Error with npm's output
 */
export async function packAndInstall(name: PackageName): Promise<Installed> {
  const temporary = realpathSync.native(mkdtempSync(join(tmpdir(), 'hookproof-package-')))
  const remove = () => rmSync(temporary, { recursive: true, force: true })
  try {
    const tarball = await pack(name, temporary)
    const others = name === 'hookproof' ? [await pack('@hookproof/receiver', temporary)] : []
    const folder = join(temporary, 'consumer')
    await install(folder, tarball, ...others)
    return { tarball, others, folder, root: join(folder, 'node_modules', name), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The tarball of a release, which HOOKPROOF_TARBALLS names the folder of; a new one without. */
async function pack(name: PackageName, destination: string): Promise<string> {
  const { HOOKPROOF_TARBALLS: release } = process.env
  if (release !== undefined) {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      version: string
    }
    return join(REPOSITORY, release, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  }
  const into = mkdtempSync(join(destination, 'tarball-'))
  const staged = mkdtempSync(join(destination, 'staged-'))
  const folder = join(REPOSITORY, FOLDERS[name])
  const listed = await npm(folder, 'pack', '--ignore-scripts', '--dry-run', '--json')
  const [{ files }] = JSON.parse(listed) as [{ files: readonly { readonly path: string }[] }]
  stage(
    FOLDERS[name],
    files.map(({ path }) => path),
    staged,
  )
  await npm(staged, 'pack', '--ignore-scripts', '--pack-destination', into)
  const [file = ''] = readdirSync(into)
  return join(into, file)
}

/** Installs packages into a folder. @throws Error with npm's output */
export async function install(folder: string, ...packages: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await npm(folder, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', ...packages)
}

/** Adds packages of this repository to a project, as its own installation would have them. */
export function addPackages(folder: string, ...names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, 'node_modules', name)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    // Everyone may create a junction on Windows; elsewhere it is a symbolic link.
    symlinkSync(join(REPOSITORY, 'node_modules', name), path, 'junction')
  }
}

/** The files of an installed package, relative to its folder. */
export function filesOf({ root }: Installed): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted()
}

/** How many packages an installation has, and the sizes of their files together, in units of 1024 × 1024 bytes. */
export function weightOf({ folder }: Installed): { packages: number; megabytes: number } {
  const modules = join(folder, 'node_modules')
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    packages: object
  }
  const sizes = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  return {
    packages: Object.keys(packages).length,
    megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1024 ** 2,
  }
}

/** How much README.md says that an installation has at most. @throws Error if it does not say it */
export function promisedWeight(name: PackageName): { packages: number; megabytes: number } {
  const text = readFileSync(join(REPOSITORY, 'README.md'), 'utf8')
  const sentence = new RegExp(
    String.raw`\`${name}\`[^\`;]*at\s+most\s+(\d+)(?:\s+packages)?\s+with\s+(\d+)\s+MB`,
  )
  const [, packages, megabytes] = sentence.exec(text) ?? []
  if (packages === undefined) throw new Error(`README.md does not say how much ${name} installs`)
  return { packages: Number(packages), megabytes: Number(megabytes) }
}

/** Runs a program without a shell until it exits. */
export function run(cwd: string, program: string, ...args: readonly string[]): Promise<Outcome> {
  return runWith({}, cwd, program, ...args)
}

/** Runs a program with more environment variables. */
export function runWith(
  variables: NodeJS.ProcessEnv,
  cwd: string,
  program: string,
  ...args: readonly string[]
): Promise<Outcome> {
  const env = { ...process.env, HOOKPROOF_SECRET: undefined, NO_COLOR: '1', ...variables }
  return new Promise((resolve) => {
    execFile(...executable(program, args), { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, stdout, stderr })
    })
  })
}

/** Runs ES module source in a folder, so that it imports the packages installed there. */
export async function runSource(folder: string, source: string): Promise<Outcome> {
  return run(folder, process.execPath, '--input-type=module', '--eval', source)
}

/** The TypeScript compilers that users may have: the previous one, and the one of this repository. */
const COMPILERS = {
  '5.9': join(REPOSITORY, 'receiver/node_modules/typescript/bin/tsc'),
  '7': join(REPOSITORY, 'node_modules/typescript/bin/tsc'),
} as const

export type Compiler = keyof typeof COMPILERS

/** Runs a TypeScript compiler. */
export function tsc(compiler: Compiler, folder: string, ...args: readonly string[]): Promise<Outcome> {
  return run(folder, process.execPath, COMPILERS[compiler], ...args)
}

const NODENEXT = ['--module', 'nodenext', '--target', 'es2022']

/** Writes files and checks them as a strict consumer would, including the declarations of their dependencies. */
export async function compile(
  folder: string,
  files: Readonly<Record<string, string>>,
  { compiler = '7', options = NODENEXT }: { compiler?: Compiler; options?: readonly string[] } = {},
): Promise<Outcome> {
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  const strict = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--types', 'node']
  return tsc(compiler, folder, ...strict, ...options, ...Object.keys(files))
}

/** Runs attw on a tarball; its output names every problem. */
export function attw(tarball: string, ...options: readonly string[]): Promise<Outcome> {
  const program = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js')
  const plain = ['--no-definitely-typed', '--no-emoji', '--no-color', '--format', 'ascii']
  return run(dirname(tarball), process.execPath, program, tarball, ...plain, ...options)
}

async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(cwd, 'npm', ...args)
  if (code !== 0) throw new Error(`npm ${args[0]} exited with code ${code}:\n${stdout}${stderr}`)
  return stdout
}
