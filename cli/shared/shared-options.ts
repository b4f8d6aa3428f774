import { Option } from 'commander'
import { headerName, repeated } from './options.ts'

/** The name of the signature header, unless another one is given. */
export const SIGNATURE_HEADER = 'X-Service-Signature'

export const signatureHeaderOption = (defaultText = '') =>
  new Option('--signature-header <name>', `name of the signature header${defaultText}`).argParser(headerName)

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
