import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Config } from '../../../schemas/types.ts'
import { readConfig } from '../../shared/config.ts'
import { UsageError } from '../../shared/exit.ts'
import { given, headerLine } from '../../shared/options.ts'
import type { CheckCommandOptions } from './check.ts'

type Options = CheckCommandOptions

/** Fields of which one, given on the command line, takes the place of them all. */
const ALTERNATIVES: readonly (readonly (keyof Options)[])[] = [
  ['secret', 'secretFile', 'secretEnv'],
  ['observe', 'observeCommand'],
]

/** What is true of one receiver only. */
const OF_THE_RECEIVER: readonly (keyof Options)[] = ['start', 'observe', 'observeCommand']

/** What is to be checked, and how. */
interface Configured {
  readonly url: string | undefined
  readonly options: Options
}

/**
 * Fills in from the config file what the command line leaves open.
 *
 * @throws UsageError when the file is there but names no URL: the bundled receiver would be graded in its place
 */
export async function configured(url: string | undefined, options: Options): Promise<Configured> {
  const read = options.config === false ? undefined : await readConfig(options.config)
  if (read === undefined) return { url, options }
  const { file, config } = read
  const target = url ?? config.url
  if (target === undefined) {
    throw new UsageError(
      `the config ${file} has no url: add it, or give a URL; --no-config grades the bundled receiver`,
    )
  }
  const fromFile = optionsOf(config, dirname(file))
  const replaced = ALTERNATIVES.filter((group) => group.some((name) => Object.hasOwn(options, name))).flat()
  const isAnother = config.url !== undefined && config.url !== target
  const left = isAnother
    ? OF_THE_RECEIVER.filter((name) => Object.hasOwn(fromFile, name) && !Object.hasOwn(options, name))
    : []
  if (left.length > 0) {
    process.stderr.write(
      `hookproof: left out of ${file}, since they are of another URL: ${left.join(', ')}\n`,
    )
  }
  return { url: target, options: { ...without(fromFile, [...replaced, ...left]), ...options } }
}

/** A config in the terms of the command: times in milliseconds, paths relative to the working folder. */
function optionsOf(config: Config, folder: string): Options {
  const { $schema: _, url: __, timeout, ackWithin, wait, header, ...same } = config
  const { secretFile, start, observeCommand, baseline, report } = same
  const path = (text: string) => (isAbsolute(text) ? text : join(folder, text))
  const command = (text: string) => (folder === '.' ? text : `cd ${quoted(resolve(folder))}; ${text}`)
  return {
    ...same,
    ...given({
      timeout: timeout && timeout * 1000,
      ackWithin: ackWithin && ackWithin * 1000,
      wait: wait && wait * 1000,
      header: header?.reduce<[string, string][]>((before, line) => headerLine(line, before), []),
      secretFile: secretFile && path(secretFile),
      baseline: baseline && path(baseline),
      start: start && command(start),
      observeCommand: observeCommand && command(observeCommand),
      report: report?.map((request) => request.replace(/(?<=^[^=]*=).+$/s, path)),
    }),
  }
}

/** A text as one word of the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function without(options: Options, names: readonly (keyof Options)[]): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.some((one) => one === name)))
}
