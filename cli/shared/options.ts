import { readFile } from 'node:fs/promises'
import { InvalidArgumentError, Option } from 'commander'
import { UsageError } from './exit.ts'

/** The environment variable that holds the signing secret, unless another is named. */
export const SECRET_ENV = 'HOOKPROOF_SECRET'

/** Where a signing secret may come from; the first that is given counts. */
export interface SecretOptions {
  readonly secret?: string
  readonly secretFile?: string
  /** Name of the environment variable to read it from. Default HOOKPROOF_SECRET. */
  readonly secretEnv?: string
}

export const secretOption = () =>
  new Option('--secret <secret>', 'signing secret (seen by other users of this machine)')
export const secretFileOption = () => new Option('--secret-file <path>', 'file that holds the signing secret')

/** Reads the signing secret. @param wanted the variable that is named where there is none @throws UsageError when there is none, or when its file can not be read. */
export async function readSecret(
  options: SecretOptions,
  wanted = options.secretEnv ?? SECRET_ENV,
): Promise<string> {
  const secret = await givenSecret(options)
  if (secret !== undefined) return secret
  throw new UsageError(`no signing secret: set ${wanted}, or give --secret-file or --secret`)
}

/** The signing secret where one is given, else undefined. @throws UsageError when it is blank or can not be read. */
export async function givenSecret({
  secret,
  secretFile,
  secretEnv,
}: SecretOptions): Promise<string | undefined> {
  if (secret !== undefined && secretFile !== undefined) {
    throw new UsageError('--secret and --secret-file are both given: leave one out')
  }
  const [value, source] = await firstGiven(secret, secretFile, secretEnv)
  if (value !== undefined && value.trim() === '') {
    throw new UsageError(`the signing secret in ${source} is blank: give the one that the receiver uses`)
  }
  return value
}

async function firstGiven(
  secret?: string,
  file?: string,
  variable = SECRET_ENV,
): Promise<[string | undefined, string]> {
  if (secret !== undefined) return [secret, '--secret']
  if (file === undefined) return [process.env[variable], variable]
  try {
    // Editors end a file with a line break, which is no part of the secret.
    return [(await readFile(file, 'utf8')).replace(/\r?\n$/, ''), file]
  } catch (error) {
    throw new UsageError(
      `can not read the signing secret from ${file}: ${reasonOf(error)}; give --secret-file another path`,
    )
  }
}

/** Parses the name of a header. */
export function headerName(text: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(text)) throw new InvalidArgumentError('Give the name of a header.')
  return text
}

/** Parses `Name: value`. @throws UsageError that does not show the line, since it may hold a password. */
export function headerLine(
  text: string,
  before: readonly (readonly [string, string])[] = [],
): [string, string][] {
  // What lies beyond Latin-1 can not travel in a header.
  const match = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text)
  if (match === null) {
    throw new UsageError('a --header can not be sent as it is: write it as "Name: value", in plain letters')
  }
  return [...before.map(([name, value]): [string, string] => [name, value]), [match[1] ?? '', match[2] ?? '']]
}

/** Collects a repeatable option. */
export function repeated(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** Parses seconds into milliseconds. */
export function seconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0 || value > 3600) {
    throw new InvalidArgumentError('Give seconds, more than 0 and at most 3600.')
  }
  return value * 1000
}

/** Parses a whole number from 1 on. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1 on.')
  return Number(text)
}

/** Only what was given: what stands in for the rest is the concern of whoever takes it. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** A text that came from a file, for a message: it may be long, and hold anything. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').slice(0, 200)
}

/** Why a file could not be used, in a few words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'permission was denied',
    EPERM: 'permission was denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is not a folder',
    EEXIST: 'a part of the path is not a folder',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  }
  return words[code] ?? (error instanceof Error ? error.message : String(error))
}
