import { startProgram } from '../../shared/program.ts'

interface SandboxSettings {
  readonly env?: NodeJS.ProcessEnv
  /** Flags of Node.js. */
  readonly flags?: readonly string[]
}

/**
 * Starts the built command `hookproof sandbox` in a separate process.
 * @param args follow `hookproof sandbox --json`
 * @throws Error with its standard error if it does not listen
 */
export async function startSandbox(
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
  const url = await program.listening
  if (url === undefined) throw new Error(`the sandbox did not start: ${program.stderr().trim()}`)
  /** Stops it like Ctrl-C; resolves to the exit code. */
  const stop = () => program.end('SIGINT')
  return { ...program, url, stop }
}
