import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'

/** A terminal's input: `setRawMode` delivers each key at once. */
type Terminal = Readable & { readonly isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown }

/** What Ctrl-C and Ctrl-D send when the terminal passes on each key. */
const ENDING = ['\u0003', '\u0004']

/**
 * Reads single keys from a terminal.
 * @param actions what each key does; `q`, Ctrl-C and Ctrl-D do what `q` does
 * @returns a function that gives the terminal back; undefined if the input is not a terminal
 */
export function readKeys(
  input: Readable,
  actions: Readonly<Record<string, () => void>>,
): (() => void) | undefined {
  const terminal: Terminal = input
  if (terminal.isTTY !== true || terminal.setRawMode === undefined) return undefined
  const onData = (data: Buffer | string): void => {
    for (const key of String(data)) actions[ENDING.includes(key) ? 'q' : key.toLowerCase()]?.()
  }
  terminal.setRawMode(true)
  terminal.on('data', onData)
  terminal.resume()
  return () => {
    terminal.off('data', onData)
    terminal.setRawMode?.(false)
    terminal.pause()
  }
}

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' }

/** Opens a page in the user's browser. @param onFailure called if there is no program for it */
export function openInBrowser(url: string, onFailure: () => void): void {
  const child = spawn(PROGRAMS[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true })
  child.on('error', onFailure)
  child.unref()
}
