import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { built, environment, type RunOptions, until } from '../support.ts'

const PTY = fileURLToPath(new URL('pty.py', import.meta.url))

/** How a command ended in its terminal. */
interface Ended {
  /** The exit code; negative is the number of a signal. */
  readonly code: number
  /** Whether the terminal has the settings that it had before. */
  readonly restored: boolean
}

/** The built command in a pseudo terminal. */
export interface InTerminal {
  /** Everything that the terminal has shown. */
  readonly screen: () => string
  readonly press: (keys: string) => void
  /** Sends a signal to the command. */
  readonly kill: (signal: NodeJS.Signals) => void
  readonly shows: (expected: RegExp) => Promise<void>
  readonly ended: Promise<Ended>
}

/** Runs the built command in a pseudo terminal. It is killed when the test ends, should it still run. */
export function inTerminal(words: readonly string[], { env, cwd }: RunOptions = {}): InTerminal {
  const child: ChildProcess = spawn(python(), [PTY, process.execPath, built(), ...words], {
    cwd,
    env: environment({ TERM: 'xterm', ...env }),
    stdio: 'pipe',
  })
  let [screen, notes] = ['', '']
  child.stdout?.on('data', (piece: Buffer) => {
    screen += piece.toString()
  })
  child.stderr?.on('data', (piece: Buffer) => {
    notes += piece.toString()
  })
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const kill = (signal: NodeJS.Signals): void => {
    const [pid] = notes.split('\n')
    process.kill(Number(pid), signal)
  }
  onTestFinished(() => {
    if (!hasEnded()) kill('SIGKILL')
  })
  return {
    screen: () => screen,
    press: (keys) => void child.stdin?.write(keys),
    kill,
    shows: (expected) =>
      until(() => {
        if (expected.test(screen)) return true
        if (hasEnded()) throw new Error(`it ended: ${screen}${notes}`)
        return false
      }),
    ended: once(child, 'close').then(() => JSON.parse(notes.split('\n')[1] ?? '') as Ended),
  }
}

/** The path of Python, because the command may have another PATH. */
const python = (): string =>
  execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
