import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A running app from the documentation. */
export interface RunningApp {
  readonly url: string
  /** Its working directory. */
  readonly folder: string
  /** Stops it with SIGTERM. @returns its exit code */
  stop(): Promise<number | null>
}

/** Runs the code of an app in a temporary folder until the test ends. @throws Error if it does not start listening */
export async function runApp(name: string, code: string, secret: string): Promise<RunningApp> {
  // Inside the repository, so that `hookproof/receiver` resolves to this package.
  mkdirSync('reports', { recursive: true })
  const file = resolve('reports', `${basename(name, '.js')}.mjs`)
  writeFileSync(file, code)
  const folder = temporaryFolder()
  const port = await freePort()
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
  const child = spawn(process.execPath, [file], { cwd: folder, env, stdio: 'ignore' })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    return child.exitCode
  }
  onTestFinished(async () => void (await end('SIGKILL')))
  const url = `http://127.0.0.1:${port}/webhooks`
  await listening(url, child)
  return { url, folder, stop: () => end('SIGTERM') }
}

async function listening(url: string, child: ChildProcess): Promise<void> {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    const reachable = await fetch(url).then(
      () => true,
      () => false,
    )
    if (reachable) return
    if (child.exitCode !== null) throw new Error(`the app exited with code ${child.exitCode}`)
    await pause(100)
  }
  throw new Error(`nothing listens at ${url}`)
}
