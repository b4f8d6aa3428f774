import { startProgram } from '../../shared/program.ts'

/** A sandbox in a separate process, as `hookproof sandbox` runs it. */
export interface SandboxProcess {
  /** Resolves to its URL, or to undefined if it exits before it listens. */
  readonly listening: Promise<string | undefined>
  readonly stderr: () => string
  kill(): Promise<void>
  /** Stops it like Ctrl-C; resolves to the exit code. */
  readonly stop: () => Promise<number | null>
}

/** Launches the built command. @param args follow `hookproof sandbox --json` */
export function launchSandbox(dist: string, ...args: string[]): SandboxProcess {
  const { listening, stderr, end } = startProgram(
    process.execPath,
    [`${dist}/cli/main.js`, 'sandbox', '--json', ...args],
    {
      env: { PATH: process.env['PATH'] },
      addressIn: (line) => (line.startsWith('{') ? (JSON.parse(line) as { url?: string }).url : undefined),
    },
  )
  return {
    listening,
    stderr,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGINT'),
  }
}
