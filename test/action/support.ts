import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The built command. */
export const MAIN = resolve('dist/cli/main.js')

export const action = readFileSync('action.yml', 'utf8')

/** The script of a step of action.yml, as the runner passes it to bash. */
export function scriptOf(step: string): string {
  const [, after = ''] = action.split(`- name: ${step}\n`)
  const block = /^ {6}run: \|\n((?: {8}.*\n)+)/m.exec(after)?.[1]
  if (block !== undefined) return block.replaceAll(/^ {8}/gm, '')
  const line = /^ {6}run: '(.*)'$/m.exec(after)?.[1]
  if (line === undefined) throw new Error(`action.yml has no script for the step "${step}"`)
  return line
}

/** A PATH with an `npx` in `folder` that runs the built command, since the package is not published yet. */
export function pathWithNpx(folder: string): string {
  const npx = join(folder, 'npx')
  writeFileSync(npx, `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${MAIN}" "$@"\n`)
  chmodSync(npx, 0o755)
  return `${folder}:${process.env['PATH']}`
}
