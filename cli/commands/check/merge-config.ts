import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Config } from '../../../schemas/types.ts'
import { readConfig } from '../../shared/config.ts'
import { UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { headerLine } from '../../shared/options.ts'
import { defined } from '../../shared/text.ts'
import type { CheckCommandOptions } from './options.ts'

type Options = CheckCommandOptions

/** Fields that exclude each other: one of them on the command line replaces all of them in the file. */
const ALTERNATIVES: readonly (readonly (keyof Options)[])[] = [
  ['secret', 'secretFile', 'secretEnv'],
  ['observe', 'observeCommand'],
]

/** Fields that belong to the receiver at the URL of the file, and to no other. */
const OF_THE_RECEIVER: readonly (keyof Options)[] = ['start', 'observe', 'observeCommand']

/** The options of the command line and of the config file, combined. */
interface MergedConfig {
  readonly url: string | undefined
  readonly options: Options
  /** The working directory of a command, absolute: that of the file that names it. */
  readonly folderOf: (command: 'start' | 'observeCommand') => string
}

/**
 * Adds to the options of the command line those of the config file.
 *
 * @throws UsageError when the file has no URL and none is given: otherwise the bundled receiver would be graded instead
 */
export async function mergeConfig(
  givenUrl: string | undefined,
  options: Options,
  io: Io,
): Promise<MergedConfig> {
  const noFile = options.config === false || options.bundled === true
  const read = noFile ? undefined : await readConfig(options.config, io)
  if (read === undefined) return { url: givenUrl, options, folderOf: () => io.cwd }
  const { file, config } = read
  const url = givenUrl ?? config.url
  if (url === undefined) {
    throw new UsageError(`${file} has no "url": add it, or pass a URL; --bundled grades the bundled receiver`)
  }
  const fromFile = optionsOf(config, dirname(file))
  const replaced = ALTERNATIVES.filter((group) => group.some((name) => Object.hasOwn(options, name))).flat()
  const isAnother = config.url !== undefined && config.url !== url
  const ignored = isAnother
    ? OF_THE_RECEIVER.filter((name) => Object.hasOwn(fromFile, name) && !Object.hasOwn(options, name))
    : []
  if (ignored.length > 0) {
    io.stderr.write(
      `hookproof: ignoring ${ignored.join(', ')} from ${file}, because ${ignored.length === 1 ? 'it belongs' : 'they belong'} to another URL\n`,
    )
  }
  return {
    url,
    options: { ...without(fromFile, [...replaced, ...ignored]), ...options },
    folderOf: (command) => (Object.hasOwn(options, command) ? io.cwd : resolve(io.cwd, dirname(file))),
  }
}

/** A config as options of the command: times in milliseconds, paths relative to the working directory. */
function optionsOf(config: Config, folder: string): Options {
  const { $schema: _, url: __, timeout, ackWithin, wait, header, insecure, ...same } = config
  const { secretFile, baseline, report, ca } = same
  const path = (text: string) => (isAbsolute(text) ? text : join(folder, text))
  return {
    ...same,
    ...defined({
      timeout: timeout && timeout * 1000,
      ackWithin: ackWithin && ackWithin * 1000,
      wait: wait && wait * 1000,
      header: header?.reduce<[string, string][]>((previous, line) => headerLine(line, previous), []),
      insecure: insecure === true ? insecure : undefined,
      secretFile: secretFile && path(secretFile),
      ca: ca && path(ca),
      baseline: baseline && path(baseline),
      report: report?.map((request) => request.replace(/(?<=^[^=]*=).+$/s, path)),
    }),
  }
}

function without(options: Options, names: readonly (keyof Options)[]): Options {
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !names.some((excluded) => excluded === name)),
  )
}
