import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The supported release lines of Node.js, each with the version that is tested. */
export const NODE_VERSIONS = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' } as const

export type NodeLine = keyof typeof NODE_VERSIONS

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/hookproof/node', import.meta.url))

/**
 * The path of the Node.js binary of a release line. Unless it is the version that runs, it is installed from npm, once.
 * @throws Error if it cannot be installed
 */
export function nodeBinary(line: NodeLine): string {
  const version = NODE_VERSIONS[line]
  if (process.version === `v${version}`) return process.execPath
  const name = `node-${process.platform}-${process.arch}`
  const folder = `${CACHE}/${version}`
  const binary = `${folder}/node_modules/${name}/bin/node`
  if (!existsSync(binary)) {
    const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`]
    const { status, error, stderr } = spawnSync('npm', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm cannot install ${name}@${version}: ${error?.message ?? stderr}`)
  }
  return binary
}
