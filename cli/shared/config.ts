import { nearest, suggestion } from '../../conformance/contracts/nearest.ts'
import { HarnessError } from '../../conformance/harness-error.ts'
import type { Config } from '../../schemas/types.ts'
import type { Violation } from '../../schemas/validate.ts'
import { UsageError } from './exit.ts'
import { type Io, pathOf } from './io.ts'
import { readText } from './read-file.ts'
import { oneLine, reasonOf } from './text.ts'

/** The file that `hookproof check` reads in the working directory, if present. */
export const CONFIG_FILE = 'hookproof.config.json'

/** A config and the file it comes from. */
interface ConfigFile {
  readonly file: string
  readonly config: Config
}

/**
 * Reads the named config file, which must exist, or that of the working directory.
 *
 * @returns undefined when none is named and the working directory has none
 * @throws UsageError when the file cannot be read, HarnessError `bad_option` when it is not a valid config
 */
export async function readConfig(named: string | undefined, io: Io): Promise<ConfigFile | undefined> {
  const file = named ?? CONFIG_FILE
  let text: string
  try {
    text = await readText(pathOf(io, file))
  } catch (error) {
    const absent = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!absent) {
      throw new UsageError(`cannot read the config ${file}: ${reasonOf(error)}; fix that, or use --no-config`)
    }
    if (named === undefined) return undefined
    throw new UsageError(
      `there is no config ${file}: pass another path, or create one with \`hookproof init\``,
    )
  }
  return { file, config: await parseConfig(text, file) }
}

async function parseConfig(text: string, file: string): Promise<Config> {
  const { validate } = await import('../../schemas/validate.ts')
  const { readSchema } = await import('../../schemas/compile.ts')
  const value = parseJson(text, file)
  const violations = validate('config', value)
  if (violations.length === 0) return value as Config
  const known = Object.keys(readSchema('config')['properties'] as object)
  const unknown = Object.keys(Object(value)).find((name) => !known.includes(name))
  if (unknown === undefined || Array.isArray(value)) {
    throw new HarnessError('bad_option', violations.map((violation) => problem(violation, file)).join('; '))
  }
  throw new HarnessError('bad_option', `${file}: "${oneLine(unknown)}" ${hintFor(unknown, known)}`)
}

/** The violation in one sentence, with the field by its name and position: `"only[0]"`. */
function problem({ path, expected }: Violation, file: string): string {
  if (path === '') return `${file} is not a valid config: it must be ${expected}`
  const field = path.slice(1).replaceAll(/\/(\d+)/g, '[$1]')
  return `${file}: "${oneLine(field)}" must be ${expected}`
}

/** How to fix an unknown field. Its value is never shown, because it may be a secret. */
function hintFor(unknown: string, known: readonly string[]): string {
  if (unknown === 'secret') return 'must not be in a file: name its environment variable in "secretEnv"'
  return `is not a known field: ${suggestion(nearest(unknown, known), `the fields are ${known.join(', ')}`)}`
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The rest of the message would show a piece of the file.
    const [, at] = /at position (\d+)/.exec(String(error)) ?? []
    const line = at === undefined ? '' : ` (line ${text.slice(0, Number(at)).split('\n').length})`
    throw new HarnessError(
      'bad_option',
      `${file} is not a valid config: it is not JSON${line}; comments and trailing commas are not allowed`,
    )
  }
}
