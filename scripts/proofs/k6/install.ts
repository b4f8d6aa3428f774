import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const MODULE = 'go.k6.io/k6'
const VERSION = 'v1.8.1'

const run = promisify(execFile)

/** A k6 program that can be run. */
export interface InstalledK6 {
  readonly path: string
  readonly version: string
  /** How long the installation took; 0 if k6 was installed before. */
  readonly seconds: number
}

/**
 * Installs k6 with Go, which takes minutes, or finds the result of an earlier installation in the cache of the user.
 * @throws Error that names what is missing
 */
export async function installK6(): Promise<InstalledK6> {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = join(cache, 'hookproof', `k6-${VERSION}`)
  const path = join(folder, 'k6')
  if (await isInstalled(path)) return { path, version: VERSION, seconds: 0 }

  await run('go', ['version']).catch(() => {
    throw new Error('go is not installed: install Go 1.26 or later, which builds k6')
  })
  const started = performance.now()
  try {
    // At a low priority, because other work may run at the same time.
    await run('nice', ['-n', '10', 'go', 'install', '-trimpath', `${MODULE}@${VERSION}`], {
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
    const last = output.trim().split('\n').at(-1)
    throw new Error(`go cannot install ${MODULE}@${VERSION}: ${last}`, { cause: error })
  }
  if (!(await isInstalled(path))) throw new Error(`${path} is not k6 ${VERSION}`)
  return { path, version: VERSION, seconds: (performance.now() - started) / 1000 }
}

async function isInstalled(path: string): Promise<boolean> {
  try {
    const { stdout } = await run(path, ['version'])
    return stdout.startsWith(`k6 ${VERSION} `)
  } catch {
    return false
  }
}
