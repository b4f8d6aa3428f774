import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Environment } from '../../../conformance/engine/process/launch.ts'
import type { ReproduceWith } from '../../../conformance/report/reproduce.ts'
import type { Config } from '../../../schemas/types.ts'
import { readConfig } from '../../shared/config.ts'
import { UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { headerLine } from '../../shared/options.ts'
import { FALLBACK_ENV, SECRET_ENV, type SecretOptions } from '../../shared/secret.ts'
import { defined } from '../../shared/text.ts'
import type { TrustOptions } from '../../shared/trust.ts'
import type { BaselineOptions } from './baseline.ts'

type Options = CheckCommandOptions

/** Fields that exclude each other: one of them on the command line replaces all of them in the file. */
const ALTERNATIVES: readonly (readonly (keyof Options)[])[] = [
  ['secret', 'secretFile', 'secretEnv'],
  ['observe', 'observeCommand'],
]

/** Fields that belong to the receiver at the URL of the file, and to no other. */
const OF_THE_RECEIVER: readonly (keyof Options)[] = ['start', 'observe', 'observeCommand']

/** The options of the command line and of the config file, combined. */
export interface MergedConfig {
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
  const { $schema: _, url: __, timeout, ackWithin, wait, redeliverAfter, header, insecure, ...same } = config
  const { secretFile, baseline, report, ca } = same
  const path = (text: string) => (isAbsolute(text) ? text : join(folder, text))
  return {
    ...same,
    ...defined({
      timeout: timeout && timeout * 1000,
      ackWithin: ackWithin && ackWithin * 1000,
      wait: wait && wait * 1000,
      redeliverAfter: redeliverAfter && redeliverAfter * 1000,
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

/** What a config file has too, and what only the command line has; times are in milliseconds. */
export interface CheckCommandOptions
  extends Readonly<Omit<Config, '$schema' | 'url' | 'header' | 'insecure'>>,
    SecretOptions,
    BaselineOptions,
    TrustOptions {
  readonly header?: readonly (readonly [string, string])[]
  /** Grade the bundled receiver, and read no config file. */
  readonly bundled?: true
  /** Every failure with its details. */
  readonly verbose?: true
  /** The config file, or false for none. */
  readonly config?: string | false
}

/**
 * What a command to reproduce a failure repeats of this one: the options that decide what the receiver is sent and how it is
 * observed. Those of a config file are read again.
 *
 * @param given the options of the command line
 * @param merged these and the options of the config file
 */
export function reproduceWith(
  given: CheckCommandOptions,
  merged: Pick<CheckCommandOptions, 'start'>,
): ReproduceWith {
  const shared = [
    ...option('--secret-file', given.secretFile),
    ...option('--env-file', given.envFile),
    ...option('--ca', given.ca),
    ...(given.insecure === true ? ['--insecure'] : []),
    ...seconds('--timeout', given.timeout),
  ]
  return {
    start: merged.start !== undefined,
    send: shared,
    check: [
      ...(given.config === false ? ['--no-config'] : option('--config', given.config)),
      ...option('--start', given.start),
      ...option('--observe', given.observe),
      ...option('--observe-command', given.observeCommand),
      ...shared,
      ...seconds('--ack-within', given.ackWithin),
      ...seconds('--wait', given.wait),
      ...seconds('--redeliver-after', given.redeliverAfter),
    ],
  }
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value]
}

function seconds(name: string, ms: number | undefined): string[] {
  return ms === undefined ? [] : [name, String(ms / 1000)]
}

/**
 * Makes sure that the run grades what its user means: without a URL it would grade the bundled receiver, which passes,
 * and a job that lost its config would be green.
 *
 * @throws UsageError that says what to add
 */
export function requireTarget(url: string | undefined, options: CheckCommandOptions, { env }: Io): void {
  const { bundled, config, start, profile, observe, observeCommand } = options
  if (bundled === true) {
    const other = url === undefined ? (typeof config === 'string' ? '--config' : undefined) : 'a URL'
    if (other === undefined && start === undefined) return
    throw new UsageError(
      `--bundled grades the bundled receiver, and cannot be combined with ${other ?? '--start'}: leave one out`,
    )
  }
  if (url === undefined) {
    if (start !== undefined) throw new UsageError('--start needs the URL at which the receiver will listen')
    const reason = reasonToExpectUrl(options, env)
    if (reason === undefined) return
    throw new UsageError(
      `no URL to grade, although ${reason}: pass the URL of your receiver, or --bundled to grade the bundled reference receiver`,
      { code: 'no_url' },
    )
  }
  if (profile === 'full' && observe === undefined && observeCommand === undefined) {
    throw new UsageError(
      '--profile full needs to see effects: add --observe <url> or --observe-command <command>, or leave --profile out',
    )
  }
}

/** What shows that the user has a receiver in mind. */
function reasonToExpectUrl(options: CheckCommandOptions, env: Environment): string | undefined {
  const { secret, secretFile, envFile, observe, observeCommand, secretEnv } = options
  if ([secret, secretFile, envFile].some((source) => source !== undefined)) return 'a signing secret is given'
  const variables = secretEnv === undefined ? [SECRET_ENV, FALLBACK_ENV] : [secretEnv]
  const set = variables.find((name) => (env[name] ?? '') !== '')
  if (set !== undefined) return `${set} is set`
  if (observe !== undefined || observeCommand !== undefined) return 'a way to observe effects is given'
  return ['', '0', 'false'].includes(env['CI']?.toLowerCase() ?? '') ? undefined : 'this runs in CI'
}
