import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>
  readonly runs: {
    readonly steps: readonly {
      readonly name: string
      readonly run?: string
      readonly env?: Readonly<Record<string, string>>
    }[]
  }
}

/** The built command. */
export const MAIN = resolve('dist/cli/main.js')

const action = parse(readFileSync('action.yml', 'utf8')) as Action

/** The inputs of action.yml: each with its default, or undefined if the input is required. */
export const INPUTS: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries(action.inputs).map(([name, input]) => [
    name,
    input.required === true ? undefined : input.default,
  ]),
)

/** The script of a step of action.yml. */
export function scriptOf(name: string): string {
  const { run } = stepOf(name)
  if (run === undefined) throw new Error(`action.yml has no script for the step "${name}"`)
  return run
}

/**
 * Runs a step of action.yml the way GitHub runs it.
 *
 * @param given the inputs; each other input has its default
 * @param folder of the temporary files of the job
 */
export function runStep(
  name: string,
  given: ReadonlyMap<string, string>,
  { cwd, folder, env = {} }: { cwd: string; folder: string; env?: NodeJS.ProcessEnv },
): SpawnSyncReturns<string> {
  const inputs = Object.fromEntries(
    Object.entries(stepOf(name).env ?? {}).map(([variable, expression]) => {
      const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? []
      return [variable, given.get(input) ?? INPUTS.get(input)]
    }),
  )
  return spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', scriptOf(name)], {
    cwd,
    env: {
      ...process.env,
      GITHUB_ACTION_PATH: process.cwd(),
      ...inputs,
      RUNNER_TEMP: temporaryWithHookproof(folder),
      ...env,
    },
    encoding: 'utf8',
  })
}

function stepOf(name: string): Action['runs']['steps'][number] {
  const step = action.runs.steps.find((candidate) => candidate.name === name)
  if (step === undefined) throw new Error(`action.yml has no step "${name}"`)
  return step
}

/** Installs the built command as the step would, since the package may not be published yet: test/package installs that one. */
function temporaryWithHookproof(folder: string): string {
  const bin = join(folder, 'hookproof/node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'hookproof'), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
    mode: 0o755,
  })
  return folder
}
