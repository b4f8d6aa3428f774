import { readFile } from 'node:fs/promises'
import { HarnessError } from '../../conformance/errors.ts'
import type { Config } from '../../schemas/types.ts'
import { UsageError } from './exit.ts'
import { nearest } from './nearest.ts'
import { oneLine, reasonOf } from './options.ts'

/** The file that `hookproof check` reads in the working folder, when there is one. */
export const CONFIG_FILE = 'hookproof.config.json'

/** A config, and the file that it comes from. */
interface ConfigOf {
  readonly file: string
  readonly config: Config
}

/**
 * Reads a config file: the one that is named, which then has to be there, or else that of the working folder.
 *
 * @returns undefined when none is named and none is there
 * @throws UsageError when the file can not be read, HarnessError `bad_option` when it is no config
 */
export async function readConfig(named: string | undefined): Promise<ConfigOf | undefined> {
  const file = named ?? CONFIG_FILE
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!absent) {
      throw new UsageError(
        `can not read the config ${file}: ${reasonOf(error)}; mend that, or use --no-config`,
      )
    }
    if (named === undefined) return undefined
    throw new UsageError(
      `there is no config ${file}: give another path, or write one with \`hookproof init\``,
    )
  }
  return { file, config: await parseConfig(text, file) }
}

async function parseConfig(text: string, file: string): Promise<Config> {
  const { explain, validate } = await import('../../schemas/validate.ts')
  const { readSchema } = await import('../../schemas/compile.ts')
  const value = parseJson(text, file)
  const found = validate('config', value)
  if (found.length === 0) return value as Config
  const known = Object.keys(readSchema('config')['properties'] as object)
  const unknown = Object.keys(Object(value)).find((name) => !known.includes(name))
  if (unknown === undefined || Array.isArray(value)) {
    throw new HarnessError('bad_option', `the config ${file} is not one: ${oneLine(explain(found))}`)
  }
  throw new HarnessError(
    'bad_option',
    `the config ${file} has "${oneLine(unknown)}": ${mendOf(unknown, known)}`,
  )
}

/** What to do about a field that is not there. Its value is never shown: it may be a secret. */
function mendOf(unknown: string, known: readonly string[]): string {
  if (unknown === 'secret') return 'a secret is no matter for a file; name its variable in secretEnv'
  const near = nearest(unknown, known)
  return near.length === 0
    ? `there is no such field; there are ${known.join(', ')}`
    : `did you mean ${near.join(', ')}?`
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The rest of the message shows a piece of the file.
    const [, at] = /at position (\d+)/.exec(String(error)) ?? []
    const line = at === undefined ? '' : ` from line ${text.slice(0, Number(at)).split('\n').length} on`
    throw new HarnessError(
      'bad_option',
      `the config ${file} is not JSON${line}: mend it (comments, and commas before a closing bracket, are not JSON)`,
    )
  }
}
