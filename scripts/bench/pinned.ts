import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { processInfo } from '../shared/process-info.ts'
import { startProgram } from '../shared/program.ts'

/** The server is pinned to one core, its client to the other. */
export const SERVER_CORE = '0'
export const CLIENT_CORE = '1'

const SERVE = fileURLToPath(new URL('serve.ts', import.meta.url))

const run = promisify(execFile)

/**
 * Starts a server of bench/serve.ts, pinned to its core.
 * @param args the arguments of the variant, such as the path of its database
 * @throws Error if it does not start
 */
export async function startServer(name: string, args: readonly string[] = []) {
  const command = ['-c', SERVER_CORE, process.execPath, '--import', 'tsx', SERVE, name, ...args]
  const { child, listening, end } = startProgram('taskset', command, { addressIn: (line) => line })
  child.stderr?.pipe(process.stderr)
  const port = await listening
  if (port === undefined) throw new Error(`bench: the server "${name}" did not start`)
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    /** The CPU time that it has used, in seconds. */
    // taskset replaces itself with the program, so the process id is the program's.
    cpuSeconds: () => processInfo(child.pid).cpuSeconds,
    stop: async () => void (await end('SIGKILL')),
  }
}

/** Runs a program on a core until it exits. @returns its standard output */
export async function runPinned(core: string, program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, HOOKPROOF_SECRET: SECRET }
  const { stdout } = await run('taskset', ['-c', core, program, ...args], { env })
  return stdout
}

export const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** Imports a built file, typed like its source: the benchmarks measure what is shipped. */
export async function built<Module>(path: string): Promise<Module> {
  return import(new URL(`../../dist/${path}`, import.meta.url).href)
}
