import { type Command, InvalidArgumentError, Option } from 'commander'
import { requireServiceName, SERVICE_NAMES } from '../../conformance/contracts/service-names.ts'
import { UsageError } from './exit.ts'
import { SECRET_VARIABLES } from './secret.ts'

/** Parses the name of a header. */
function headerName(text: string): string {
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

/** Parses a port. */
export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.')
}

export const secretOption = () =>
  new Option(
    '--secret <secret>',
    `signing secret (default: ${SECRET_VARIABLES}); visible in the process list`,
  )
export const secretFileOption = () => new Option('--secret-file <path>', 'file that holds the signing secret')
export const envFileOption = () =>
  new Option(
    '--env-file <path>',
    'file of environment variables, such as .env, with the signing secret; variables that are set take precedence',
  )
export const secretOptions = () => [secretOption(), secretFileOption(), envFileOption()]

/** What decides how deliveries reach a receiver. */
export const targetOptions = () => [
  ...secretOptions(),
  // No default in the parser: it would look like a value on the command line, which overrides the config file.
  signatureHeaderOption(' (default: that of the service)'),
  headerOption('extra header for every delivery'),
  ...trustOptions(),
]

export const signatureHeaderOption = (defaultText = '') =>
  new Option('--signature-header <name>', `name of the signature header${defaultText}`).argParser(headerName)

export const headerOption = (what: string) =>
  new Option('--header <line>', `${what}, as "Name: value"; repeatable`).argParser(headerLine)

export const trustOptions = () => [
  new Option('--ca <file>', 'certificates in PEM to trust for https, besides those of public authorities'),
  new Option('--insecure', 'accept any certificate of an https server, for example a self-signed one'),
]

export const configOptions = () => [
  new Option('--config <file>', 'config file (default: hookproof.config.json, if present)'),
  new Option('--no-config', 'do not read a config file'),
]

export const observeOptions = () => [
  new Option(
    '--observe <url>',
    'URL that returns the effects of a payment, called with ?payment_id=<id>; with --service how often a delivery was handled, with ?key=<id>',
  ),
  new Option(
    '--observe-command <command>',
    'command that prints the effects of a payment; its last argument is the payment id, or with --service the key of a delivery',
  ),
]

export const timeoutOption = () =>
  new Option('--timeout <seconds>', 'how long to wait for a response, in seconds (default: 10)').argParser(
    seconds,
  )

export const startOption = (more = '') =>
  new Option(
    '--start <command>',
    `command that starts the receiver, with the signing secret in HOOKPROOF_SECRET and, unless already set, WEBHOOK_SECRET, and the port of the URL in PORT${more}`,
  )

/** Whose webhooks it is about. */
export const serviceOption = (what = 'the service whose webhooks the receiver gets') =>
  new Option('--service <name>', `${what} (default: payment-service, that of SPEC.md)`)
    .choices(SERVICE_NAMES)
    // Unlike the parser of choices, it suggests the nearest name.
    .argParser(requireServiceName)

export const contractOption = () =>
  new Option(
    '--contract <version>',
    'version of the contract to test; pin it in CI, so that an update of hookproof adds no case (default: the newest)',
  )

export const modeOption = (defaultText = '') =>
  new Option(
    '--mode <mode>',
    `test: every event has livemode false; live: also sends events with livemode true${defaultText}`,
  ).choices(['test', 'live'])

export const reportOption = () =>
  new Option(
    '--report <format[=file]>',
    'report to write: terminal, json, junit, markdown, html or badge; repeatable (default: terminal)',
  ).argParser(repeated)

export const verboseOption = () =>
  new Option('--verbose', 'print every failure with its details (default: at most 40 lines)')

/** Adds options in this order. */
export function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option)
  return command
}
