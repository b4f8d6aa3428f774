import { InvalidArgumentError } from 'commander'
import { UsageError } from './exit.ts'

/** Parses the name of a header. */
export function headerName(text: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(text)) throw new InvalidArgumentError('It must be a header name.')
  return text
}

/** Parses `Name: value`. @throws UsageError that does not show the line, because it may hold a password */
export function headerLine(
  text: string,
  previous: readonly (readonly [string, string])[] = [],
): [string, string][] {
  // Characters beyond Latin-1 cannot be sent in a header.
  const match = /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text)
  if (match === null) {
    throw new UsageError(
      '--header cannot be sent: write it as "Name: value", without line breaks and in Latin-1 characters',
    )
  }
  return [
    ...previous.map(([name, value]): [string, string] => [name, value]),
    [match[1] ?? '', match[2] ?? ''],
  ]
}

/** Parses `NAME=value`, and collects several. @throws InvalidArgumentError */
export function environmentVariable(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be NAME=value, such as OLD_SECRET={old}.')
  return { ...previous, [name]: value }
}

/** Collects a repeatable option. */
export function repeated(text: string, previous: readonly string[] = []): string[] {
  return [...previous, text]
}

/** Accepts an option that contradicts itself when it is repeated. */
export function once(text: string, previous?: string): string {
  if (previous === undefined || previous === text) return text
  throw new InvalidArgumentError(`It was already ${previous}: give it once.`)
}

/** Parses seconds into milliseconds. */
export function seconds(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0 || value > 3600) {
    throw new InvalidArgumentError('It must be more than 0 and at most 3600 seconds.')
  }
  return value * 1000
}

/** Parses a whole number, at least 1. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number, at least 1 and at most 999999.')
  }
  return Number(text)
}
