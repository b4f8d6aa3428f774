import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../../conformance/engine/process/launch.ts'
import { UsageError } from '../../shared/exit.ts'
import {
  collectErrors,
  end,
  START_WITHIN_MS,
  type StartedReceiver,
  type Stop,
} from '../../shared/process/child.ts'

interface BundledOptions {
  readonly env: Environment
  /** Default: a random one. */
  readonly secret?: string
  /** Called before the receiver listens, with how to stop it. */
  readonly onSpawn?: (stop: Stop) => void
}

/**
 * Starts the bundled reference receiver on a free port, with its own store, which is removed afterwards.
 *
 * @throws UsageError with its error output when it does not start
 */
export async function startBundled({
  env,
  secret = `whsec_${randomBytes(24).toString('hex')}`,
  onSpawn = () => undefined,
}: BundledOptions): Promise<StartedReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'hookproof-'))
  // The same file whether this runs from the sources or from the build.
  const server = fileURLToPath(
    new URL(
      import.meta.url.endsWith('.ts') ? '../../../server/server.ts' : '../../../server/server.js',
      import.meta.url,
    ),
  )
  const child = fork(server, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...env,
      WEBHOOK_SECRET: secret,
      HOST: '127.0.0.1',
      PORT: '0',
      // Node.js 20 includes no SQLite, and this command must work without any other package.
      INBOX: (await hasSqlite()) ? join(folder, 'inbox.sqlite') : 'memory',
      OBSERVE: '1',
      LOG_LEVEL: 'fatal',
      ...UNSET,
    },
  })
  const lastError = collectErrors(child)
  const stop = async () => {
    await end(
      child,
      () => child.kill('SIGTERM'),
      () => child.kill('SIGKILL'),
    )
    // Windows may keep a file open for a moment after its process has ended.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  onSpawn(stop)
  const url = await Promise.race([listening(child), exited(child), timedOut()])
  if (url === undefined) {
    await stop()
    throw new UsageError(`the bundled receiver did not start: ${lastError()}`)
  }
  return { url: `${url}/webhooks`, observe: `${url}/observe`, secret, stop }
}

async function hasSqlite(): Promise<boolean> {
  const { loadDriver } = await import('@hookproof/receiver/sqlite')
  return loadDriver().then(
    () => true,
    () => false,
  )
}

/** Variables that the environment may have set for another receiver. */
const UNSET = {
  WEBHOOK_SECRET_PREVIOUS: '',
  WEBHOOK_SECRET_FILE: '',
  TOLERANCE_SECONDS: '',
  RETENTION_DAYS: '',
  MAX_ATTEMPTS: '',
  BODY_LIMIT_BYTES: '',
  BODY_TIMEOUT_SECONDS: '',
  MAX_WAITING: '',
  MAX_CONNECTIONS: '',
  MAX_HELD_BYTES: '',
  MAX_STORE_SECONDS: '',
  DRAIN_SECONDS: '',
  STOP_SECONDS: '',
  METRICS_HOST: '',
  METRICS_PORT: '',
}

async function listening(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /"url":"([^"]+)","msg":"listening"/.exec(line)?.[1]
    if (url === undefined) continue
    // A full pipe would block the receiver.
    child.stdout.resume()
    return url
  }
  return undefined
}

async function exited(child: ChildProcess): Promise<undefined> {
  await once(child, 'exit')
  return undefined
}

async function timedOut(): Promise<undefined> {
  await pause(START_WITHIN_MS, undefined, { ref: false })
  return undefined
}
