import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { collectErrors, end, START_WITHIN_MS, type StartedReceiver, type Stop } from '../../shared/child.ts'
import { UsageError } from '../../shared/exit.ts'

/**
 * Starts the bundled reference receiver on a free port, with a store of its own that is removed afterwards.
 *
 * @param onSpawn told, before the wait, how to stop what was started
 * @throws UsageError when it does not start, with what it said.
 */
export async function startBundled(
  secret = `whsec_${randomBytes(24).toString('hex')}`,
  onSpawn: (stop: Stop) => void = () => undefined,
): Promise<StartedReceiver> {
  const folder = await mkdtemp(join(tmpdir(), 'hookproof-'))
  // The same file whether this runs from the sources or from what was built.
  const server = fileURLToPath(
    new URL(
      import.meta.url.endsWith('.ts') ? '../../../server/server.ts' : '../../../server/server.js',
      import.meta.url,
    ),
  )
  const child = fork(server, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      WEBHOOK_SECRET: secret,
      HOST: '127.0.0.1',
      PORT: '0',
      INBOX: join(folder, 'inbox.sqlite'),
      OBSERVE: '1',
      LOG_LEVEL: 'fatal',
      ...UNSET,
    },
  })
  const said = collectErrors(child)
  const stop = async () => {
    await end(
      child,
      () => child.kill('SIGTERM'),
      () => child.kill('SIGKILL'),
    )
    await rm(folder, { recursive: true, force: true })
  }
  onSpawn(stop)
  const url = await Promise.race([listening(child), exited(child), expired()])
  if (url === undefined) {
    await stop()
    throw new UsageError(`the bundled receiver did not start: ${said()}`)
  }
  return { url: `${url}/webhooks`, observe: `${url}/observe`, secret, stop }
}

/** So that what the outside has set for a receiver of its own changes nothing here. */
const UNSET = {
  WEBHOOK_SECRET_PREVIOUS: '',
  WEBHOOK_SECRET_FILE: '',
  TOLERANCE_SECONDS: '',
  RETENTION_DAYS: '',
  MAX_ATTEMPTS: '',
  BODY_LIMIT_BYTES: '',
  BODY_TIMEOUT_SECONDS: '',
  MAX_WAITING: '',
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
    // Read on without looking, or a full pipe would stop the receiver.
    child.stdout.resume()
    return url
  }
  return undefined
}

async function exited(child: ChildProcess): Promise<undefined> {
  await once(child, 'exit')
  return undefined
}

async function expired(): Promise<undefined> {
  await pause(START_WITHIN_MS, undefined, { ref: false })
  return undefined
}
