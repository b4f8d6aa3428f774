import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A sandbox in a process of its own, as `hookproof sandbox` runs it. */
export interface SandboxProcess {
  /** Resolves to its address, or to undefined if it ended before it listened. */
  readonly listening: Promise<string | undefined>
  stderr(): string
  kill(): Promise<void>
  /** As by Ctrl-C; resolves to the exit code. */
  stop(): Promise<number | null>
}

/** Starts the built command. @param words after `sandbox --json` */
export function launchSandbox(dist: string, ...words: string[]): SandboxProcess {
  const child = spawn(process.execPath, [`${dist}/cli/main.js`, 'sandbox', '--json', ...words], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const forget = (): void => void child.kill('SIGKILL')
  process.once('exit', forget)
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', forget)
    return code as number | null
  })
  const told = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      resolve((JSON.parse(line) as { url: string }).url)
    })
  })
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  return {
    listening: Promise.race([told, ended.then(() => undefined)]),
    stderr: () => stderr,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGINT'),
  }
}
