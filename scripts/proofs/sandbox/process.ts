import { startProgram } from '../../shared/program.ts'

/** A sandbox in a separate process, as `hookproof sandbox` runs it. */
export type SandboxProcess = ReturnType<typeof launchSandbox>

interface SandboxSettings {
  readonly env?: NodeJS.ProcessEnv
  /** Flags of Node.js. */
  readonly flags?: readonly string[]
}

/** Launches the built command. @param args follow `hookproof sandbox --json` */
export function launchSandbox(
  dist: string,
  args: readonly string[],
  { env, flags = [] }: SandboxSettings = {},
) {
  const program = startProgram(
    process.execPath,
    [...flags, `${dist}/cli/main.js`, 'sandbox', '--json', ...args],
    {
      env: { PATH: process.env['PATH'], ...env },
      addressIn: (line) => (line.startsWith('{') ? (JSON.parse(line) as { url?: string }).url : undefined),
    },
  )
  return {
    ...program,
    kill: async () => void (await program.end('SIGKILL')),
    /** Stops it like Ctrl-C; resolves to the exit code. */
    stop: () => program.end('SIGINT'),
  }
}

/** Launches it and waits until it listens. @throws Error with its standard error if it does not */
export async function startSandbox(...settings: Parameters<typeof launchSandbox>) {
  const sandbox = launchSandbox(...settings)
  const url = await sandbox.listening
  if (url === undefined) throw new Error(`the sandbox did not start: ${sandbox.stderr().trim()}`)
  return { ...sandbox, url }
}
