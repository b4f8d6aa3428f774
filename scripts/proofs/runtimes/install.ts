import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The runtimes as npm packages that contain the program for Linux on x64, with the path of the program. */
const PACKAGES = {
  bun: { name: '@oven/bun-linux-x64', version: '1.4.5', program: 'bin/bun' },
  deno: { name: '@deno/linux-x64-glibc', version: '2.9.6', program: 'deno' },
  workerd: { name: '@cloudflare/workerd-linux-64', version: '1.20261117.1', program: 'bin/workerd' },
} as const

export type RuntimeName = keyof typeof PACKAGES

export const RUNTIMES = Object.keys(PACKAGES) as RuntimeName[]

/** The pinned version of a runtime. */
export const versionOf = (runtime: RuntimeName): string => PACKAGES[runtime].version

/**
 * Installs a runtime into a folder, about 100 MB. No script of the package runs.
 * @returns the path of its program
 * @throws Error on other platforms than Linux on x64
 */
export async function install(runtime: RuntimeName, folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `${runtime} is installed for Linux on x64 only, not for ${process.platform} on ${process.arch}`,
    )
  }
  const { name, version, program } = PACKAGES[runtime]
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  await promisify(execFile)('npm', ['install', '--prefix', folder, ...quiet, `${name}@${version}`])
  return join(folder, 'node_modules', name, program)
}
