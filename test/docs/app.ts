import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort, listensOn } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'

/** An app from the documentation, running unchanged. */
export interface RunningApp {
  readonly url: string
  /** Its working folder. */
  readonly folder: string
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
}

/** Runs the code of an app in an empty folder until the test is over. @throws Error if the app exits before it listens */
export async function runApp(name: string, code: string, secret: string): Promise<RunningApp> {
  // The file is inside the repository, so that `@hookproof/receiver` resolves to the workspace.
  mkdirSync('reports', { recursive: true })
  const file = resolve('reports', `${basename(name, '.js')}.mjs`)
  writeFileSync(file, code)
  const folder = temporaryFolder()
  const port = await freePort()
  const env = { ...process.env, HOOKPROOF_SECRET: secret, WEBHOOK_SECRET: undefined, PORT: String(port) }
  const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: 'ignore' })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    return child.exitCode
  }
  onTestFinished(async () => {
    await end('SIGKILL')
  })
  const url = `http://127.0.0.1:${port}/webhooks`
  await listening(port, child)
  return { url, folder, stop: () => end('SIGTERM') }
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  await until(() => child.exitCode !== null || listensOn(port))
  if (child.exitCode !== null) throw new Error(`the app exited with status ${child.exitCode}`)
}
