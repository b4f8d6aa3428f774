import { spawn } from 'node:child_process'

const PROGRAMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe' }

/** Opens a page in the user's browser. @param onFailure called if there is no program for it */
export function openInBrowser(url: string, onFailure: () => void): void {
  const child = spawn(PROGRAMS[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true })
  child.on('error', onFailure)
  child.unref()
}
