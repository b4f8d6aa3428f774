import { createVerifier, readDelivery, WebhookError } from '@hookproof/receiver'
import { SCHEME, WINDOW_SECONDS } from '../../../conformance/contracts/payment-service/scheme.ts'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import type { Difference, Side } from '../../../conformance/diagnosis/mismatch/difference.ts'
import { dissect } from '../../../conformance/diagnosis/mismatch/dissect.ts'
import type { Stamped } from '../../../conformance/diagnosis/mismatch/header.ts'
import { contractOf, requireKey } from '../../../conformance/options.ts'
import { verifyingCode } from '../../../conformance/report/examples.ts'
import { FRAMEWORKS, type Framework } from '../../../conformance/report/snippets.ts'
import { HEADINGS } from '../../../conformance/report/wording.ts'
import {
  type Advice,
  adviceOn,
  comparisonOf,
  differenceText,
  lineBreakAfter,
  olderText,
  refusalText,
  refusedAnyway,
} from '../../../conformance/report/words/signature.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { readBytes, unixTime } from '../../shared/read-file.ts'
import { readSecret, readSecretAndEnd, type SecretOptions } from '../../shared/secret.ts'
import { namedService, readKeySecret, type ServiceOptions, unusedOption } from '../../shared/service.ts'
import { hmac, stampedBy } from './headers.ts'

/** The options of `hookproof verify`. */
export interface VerifyCommandOptions extends SecretOptions, ServiceOptions {
  readonly signatureHeader?: string
  /** Header lines beside that of the signature. */
  readonly header?: readonly (readonly [string, string])[]
  readonly at?: string
  /** In seconds. */
  readonly tolerance?: string
  /** Where the secrets of other endpoints are: environment variables or files. */
  readonly also?: readonly string[]
  /** The receiver's framework, for code that verifies the raw body. */
  readonly framework?: Framework
}

const hintsOn = (time: string) => ({
  old: `pass its ${time} as --at`,
  others: 'pass the secrets of other endpoints with --also',
})

/** Refusals that another body, secret or header may explain; a verified body that is no event is none. */
const IS_ABOUT_SIGNATURE = /^(?:header|t|v1|timestamp|signature)_/

/** `hookproof verify`: verifies a signature header and a body as the service's receivers do. */
export async function verifyBody(
  header: string,
  file: string | undefined,
  options: VerifyCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const service = await namedService(options, io)
  const contract = await contractOf(service)
  const { signatureHeader, header: more } = options
  const { body: pasted, ...stamped } = stampedBy(header, more ?? [], contract, signatureHeader)
  const readBody = () =>
    file === undefined && pasted !== undefined ? Buffer.from(pasted) : readBytes(file ?? '-', io)
  if (contract.id !== 'payment-service') {
    const older = olderText(header, contract.scheme)
    return verifyWith(contract, { ...stamped, older }, readBody, options, io)
  }
  return verifyPayment(stamped.header, readBody, options, io)
}

/** Reads the body from where the command line says that it is. */
type ReadBody = () => Buffer | Promise<Buffer>

/** How far the time may be from that of the verification, in seconds. @throws UsageError */
function toleranceOf({ tolerance }: VerifyCommandOptions, usual: number): number {
  const seconds = Number(tolerance ?? usual)
  if (seconds > 0 && seconds <= 86_400) return seconds
  throw new UsageError(
    `--tolerance ${tolerance} must be more than 0 and at most 86400 seconds, for example 300; to verify an old delivery, pass --at`,
  )
}

/** Verifies by the scheme of any service. */
async function verifyWith(
  contract: WebhookContract,
  { older, ...stamped }: Stamped & { readonly older: string | undefined },
  readBody: ReadBody,
  options: VerifyCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const { scheme, title } = contract
  const toleranceSeconds = toleranceOf(options, contract.windowSeconds)
  const unused = (['at', 'tolerance'] as const).find((name) => options[name] !== undefined)
  if (unused !== undefined && !scheme.signed.includes('time'))
    throw unusedOption(unused, `has no use for ${title}, which signs no time`)
  const nowSeconds = unixTime(options.at)
  const { secret, lineBreakIn } = await readKeySecret(contract, options, io)
  const notes = [older, lineBreakIn === undefined ? undefined : lineBreakAfter(lineBreakIn)]
  const note = notes.map((one) => (one === undefined ? '' : `${one}\n`)).join('')
  const body = await readBody()
  const delivery = { ...stamped, body, secret }
  const { refusal, isLate } = await dissect(delivery, { hmac, nowSeconds, toleranceSeconds })
  if (refusal === undefined) {
    const comparison = await comparisonOf({ body, secret })
    io.stdout.write(`valid: signed as ${title} signs it\n${refusedAnyway()} ${comparison}\n${note}`)
    return EXIT.ok
  }
  const also = await readOthers(options.also, io)
  for (const other of Object.values(also)) requireKey(other, contract)
  const hints = hintsOn(scheme.stamps?.time ?? 't')
  const advice = await adviceOn({ ...delivery, also }, { isLate, hmac, hints })
  io.stdout.write(
    `refused: ${refusalText(refusal.reason, scheme)}\n${shown(advice, options.framework, contract.id)}${note}`,
  )
  return EXIT.failed
}

/** Verifies as the reference receiver does. */
async function verifyPayment(
  header: string,
  readBody: ReadBody,
  options: VerifyCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const toleranceSeconds = toleranceOf(options, WINDOW_SECONDS)
  const at = unixTime(options.at) * 1000
  const { secret, lineBreakIn } = await readSecretAndEnd(options, io)
  const note = lineBreakIn === undefined ? '' : `${lineBreakAfter(lineBreakIn)}\n`
  const verify = createVerifier({ secrets: secret, toleranceSeconds, clock: () => at })
  const body = await readBody()
  try {
    const { name, paymentId } = readDelivery(verify, { signature: [header], body })
    io.stdout.write(
      `valid: ${name} of payment ${paymentId}\n${refusedAnyway(401)} ${await comparisonOf({ body, secret })}\n${note}`,
    )
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    io.stdout.write(`refused with ${error.status} ${error.code}: ${error.message}\n`)
    if (IS_ABOUT_SIGNATURE.test(error.code)) {
      const refused = { scheme: SCHEME, header, body, secret, also: await readOthers(options.also, io) }
      const isLate = error.code.startsWith('timestamp_')
      const advice = await adviceOn(refused, { isLate, hmac, hints: hintsOn('t') })
      io.stdout.write(`${shown(advice, options.framework)}${note}`)
    }
    return EXIT.failed
  }
}

/** The cause and the fix, the bytes that differ, and code that verifies the raw body. @param service undefined for the payment service */
function shown({ text, difference, needsCode }: Advice, framework?: Framework, service?: string): string {
  const code = needsCode ? verifyingCode(framework, service) : undefined
  const known = FRAMEWORKS.filter((name) => verifyingCode(name, service) !== undefined)
  const hint =
    needsCode && code === undefined
      ? [`${HEADINGS.exampleBy}: add --framework with one of ${known.join(', ')}`]
      : []
  const example =
    code === undefined
      ? []
      : [
          '',
          `${HEADINGS.example} ${code.title}:`,
          ...code.code.split('\n').map((line) => `    ${line}`.trimEnd()),
        ]
  return [text, ...differenceLines(difference), ...hint, ...example].map((line) => `${line}\n`).join('')
}

/** Both sides with a mark below each character that differs. */
function differenceLines(difference: Difference | undefined): string[] {
  if (difference === undefined) return []
  const { signed, hashed } = difference
  return ['', ...sideLines('Signed', signed), ...sideLines('Hashed', hashed), differenceText(difference)]
}

function sideLines(name: string, { pieces, isCut: [before, after] }: Side): string[] {
  const [start, end] = [before ? '...' : '', after ? '...' : '']
  const marks = pieces.map(({ text, differs }) => (differs ? '^' : ' ').repeat(text.length)).join('')
  const label = `${name}  ${start}`
  const line = `${label}${pieces.map(({ text }) => text).join('')}${end}`
  return marks.includes('^') ? [line, `${' '.repeat(label.length)}${marks}`.trimEnd()] : [line]
}

/**
 * Reads the secrets of other endpoints by the names of variables or files.
 * @throws UsageError when one cannot be read
 */
async function readOthers(names: readonly string[] = [], io: Io): Promise<Record<string, string>> {
  const secrets = names.map(async (name) => {
    const source = io.env[name] === undefined ? { secretFile: name } : { secretEnv: name }
    return [name, await readSecret(source, io)] as const
  })
  return Object.fromEntries(await Promise.all(secrets))
}
