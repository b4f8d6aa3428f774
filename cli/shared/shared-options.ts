import { Option } from 'commander'
import { headerLine, headerName, repeated, seconds } from './options.ts'

/** The name of the signature header, unless another one is given. */
export const SIGNATURE_HEADER = 'X-Service-Signature'

export const signatureHeaderOption = (defaultText = '') =>
  new Option('--signature-header <name>', `name of the signature header${defaultText}`).argParser(headerName)

export const headerOption = () =>
  new Option('--header <line>', 'extra header for every delivery, as "Name: value"; repeatable').argParser(
    headerLine,
  )

export const timeoutOption = () =>
  new Option('--timeout <seconds>', 'how long to wait for a response, in seconds (default: 10)').argParser(
    seconds,
  )

export const configOption = () =>
  new Option('--config <file>', 'config file (default: hookproof.config.json, if present)')

export const noConfigOption = () => new Option('--no-config', 'do not read a config file')

export const observeOption = () =>
  new Option('--observe <url>', 'URL that returns the effects of a payment, called with ?payment_id=<id>')

export const observeCommandOption = () =>
  new Option(
    '--observe-command <command>',
    'command that prints the effects of a payment; its last argument is the payment id',
  )

export const startOption = (more = '') =>
  new Option(
    '--start <command>',
    `command that starts the receiver, with the signing secret in HOOKPROOF_SECRET and, unless already set, WEBHOOK_SECRET, and the port of the URL in PORT${more}`,
  )

export const contractOption = () =>
  new Option(
    '--contract <version>',
    'version of SPEC.md to test; pin it in CI, so that an update of hookproof adds no case (default: the newest)',
  )

export const modeOption = (defaultText = '') =>
  new Option(
    '--mode <mode>',
    `test: every event has livemode false; live: also sends events with livemode true${defaultText}`,
  ).choices(['test', 'live'])

export const caOption = () =>
  new Option('--ca <file>', 'certificates in PEM to trust for https, besides those of public authorities')

export const insecureOption = () =>
  new Option('--insecure', 'accept any certificate of an https server, for example a self-signed one')

export const reportOption = () =>
  new Option(
    '--report <format[=file]>',
    'report to write: terminal, json, junit, markdown, html or badge; repeatable (default: terminal)',
  ).argParser(repeated)
