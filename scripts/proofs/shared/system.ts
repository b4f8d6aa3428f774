import { spawnSync } from 'node:child_process'

/** This machine does not allow what a proof needs; the message says why. */
export class NotPossible extends Error {
  override readonly name = 'NotPossible'
}

/** Runs a system program. @throws NotPossible with its standard error if it fails */
export function runSystem(program: string, ...args: string[]): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new NotPossible(`${program} is not installed`)
  if (status !== 0) throw new NotPossible(stderr.trim() || `${program} exited with code ${status}`)
}
