import { closeSync, openSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { temporaryFile } from './temporary.ts'

/** Makes another file the standard error of the test. */
export function replaceStandardError(path: string): void {
  const { fd: before } = process.stderr
  const fd = openSync(path, 'w')
  Object.defineProperty(process.stderr, 'fd', { value: fd, configurable: true })
  onTestFinished(() => {
    Object.defineProperty(process.stderr, 'fd', { value: before, configurable: true })
    closeSync(fd)
  })
}

/** The lines written to standard error during the test. */
export function standardError(): () => string[] {
  const path = temporaryFile('stderr.txt')
  replaceStandardError(path)
  return () => readFileSync(path, 'utf8').match(/.*\n/g) ?? []
}
