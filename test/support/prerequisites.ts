import { spawnSync } from 'node:child_process'
import { describe, test } from 'vitest'

/** For `skipIf`: Windows has no POSIX shell, process groups, pipes with names, or signals that a program can handle. */
export const onWindows = process.platform === 'win32'

/** Whether everything that tests need has to be there: CI runs all of them on Linux, and what others can run elsewhere. */
export const mustHaveAll = (): boolean => process.env['CI'] !== undefined && process.platform === 'linux'

/** Why a program cannot be run here, or undefined when it can. */
export function missingProgram(program: string, ...args: readonly string[]): string | undefined {
  const { error, status } = spawnSync(program, args.length === 0 ? ['--version'] : args, { stdio: 'ignore' })
  return error === undefined && status === 0 ? undefined : `${program} is not installed`
}

/**
 * `describe` and `test` for what needs something from outside. Without it the tests are reported as skipped, with the
 * reason in their names; in CI on Linux they fail instead, since a green run would prove less than it claims.
 * @param missing why the prerequisite is not there, or undefined when it is
 */
export function requires(missing: string | undefined): {
  describe: (name: string, tests: () => void) => void
  test: (name: string, run: () => void | Promise<void>, timeoutMs?: number) => void
} {
  if (missing === undefined) {
    return {
      describe: (name, tests) => {
        describe(name, tests)
      },
      test: (name, run, timeoutMs) => {
        test(name, run, timeoutMs)
      },
    }
  }
  const unavailable = (name: string) => {
    const title = `${name} (not tested: ${missing})`
    if (!mustHaveAll()) test.skip(title, () => {})
    else {
      test(title, () => {
        throw new Error(`${missing}, and CI must have it`)
      })
    }
  }
  return { describe: unavailable, test: unavailable }
}
