import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** An app of the documentation that runs as it stands there. */
export interface RunningApp {
  readonly url: string
  /** Where it keeps its files. */
  readonly folder: string
  /** As by an operator; resolves to the exit code. */
  stop(): Promise<number | null>
}

/** Runs the code of an app in a folder of its own until the test is over. @throws Error if it does not listen */
export async function runApp(name: string, code: string, secret: string): Promise<RunningApp> {
  // Inside the repository, so that `hookproof/receiver` is this package.
  mkdirSync('reports', { recursive: true })
  const file = resolve('reports', `${basename(name, '.js')}.mjs`)
  writeFileSync(file, code)
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-docs-'))
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
  onTestFinished(async () => {
    await end('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}/webhooks`
  await listening(url, child)
  return { url, folder, stop: () => end('SIGTERM') }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function listening(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const there = await fetch(url).then(
      () => true,
      () => false,
    )
    if (there) return
    if (child.exitCode !== null) throw new Error(`it ended with status ${child.exitCode}`)
    await pause(100)
  }
  throw new Error(`nothing listens at ${url}`)
}
