import { randomUUID } from 'node:crypto'
import { requireServiceName } from '../../../conformance/contracts/service-names.ts'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import {
  headerWith,
  olderOf,
  type Scheme,
  signatureBy,
  signingKey,
  stampsWith,
} from '../../../conformance/contracts/webhook/scheme.ts'
import { renaming } from '../../../conformance/contracts/webhook/target.ts'
import type { Delivery, HeaderLine } from '../../../conformance/engine/delivery.ts'
import { isAcknowledged } from '../../../conformance/engine/exchange.ts'
import { createSender } from '../../../conformance/engine/wire/sender.ts'
import { httpUrl } from '../../../conformance/http-url.ts'
import { contractOf } from '../../../conformance/options.ts'
import { ownTextHider, ownTextRedactor, redactor } from '../../../conformance/report/redact.ts'
import { harnessError } from '../../../conformance/report/words/failures.ts'
import { shellQuoted } from '../../../fixtures/shell.ts'
import type { Capture } from '../../../schemas/types.ts'
import { forwardedHeaders, readCapture } from '../../shared/capture.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { namedService, readKeySecret } from '../../shared/service.ts'
import { readTrust } from '../../shared/trust.ts'
import { receivedText, requestText, type SendCommandOptions } from './send.ts'

/** Headers whose values may be credentials. */
const CREDENTIALS = /auth|cookie|token|secret|password|api-?key/i

/**
 * `hookproof send --capture`: sends a captured delivery again, as it was or signed now, and shows the response; with `--test` it
 * sends nothing, and prints a test that does.
 */
export async function replay(
  file: string,
  urls: readonly string[],
  options: SendCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const [address] = urls
  if (address === undefined || urls.length > 1)
    throw new UsageError('--capture needs the URL of the receiver, and no event or case: pass the URL alone')
  const url = httpUrl(address)
  const capture = await readCapture(file, io)
  const { service: captured } = capture
  const service = (await namedService(options, io)) ?? (captured && requireServiceName(captured))
  if (options.test !== undefined) {
    const words = ['npx', 'hookproof', 'send', '--capture', file, '--sign', url.href]
    const named = service === undefined || service === captured ? [] : ['--service', service]
    io.stdout.write(testText(options.test, shellQuoted([...words, ...named]), url))
    return EXIT.ok
  }
  const contract = await contractOf(service)
  const secret = options.sign === true ? (await readKeySecret(contract, options, io)).secret : undefined
  const own = options.header ?? []
  const kept = forwardedHeaders(capture.headers, own)
  const { signatureHeader } = options
  const headers =
    secret === undefined ? kept : signedNow(kept, bodyOf(capture), contract.scheme, secret, signatureHeader)
  const delivery = deliveryOf(capture, headers, contract)
  const timeoutMs = options.timeout ?? 10_000
  const trust = await readTrust(options, io)
  const target = { url, timeoutMs, trust, linesOf: () => [...own, ...headers] }
  const sender = createSender(target)
  const exchange = await sender.send(delivery).finally(() => sender.close())
  const hides = (name: string) => CREDENTIALS.test(name) || own.some(([other]) => other === name)
  // The signature of the service is hidden: it may be valid for long. One that the person made is not.
  const [hide, redact] =
    secret === undefined
      ? [ownTextRedactor(''), ownTextRedactor('')]
      : [ownTextHider(secret), redactor(secret)]
  io.stdout.write(`${hide(requestText(delivery, target, hides))}\n${receivedText(exchange, redact)}\n`)
  if (exchange.answer === undefined)
    throw harnessError({ code: 'unreachable', of: 'receiver', address: url.href, error: exchange.error })
  return isAcknowledged(exchange) ? EXIT.ok : EXIT.failed
}

const bodyOf = ({ body }: Capture): Buffer => Buffer.from(body, 'base64')

const deliveryOf = (
  capture: Capture,
  headers: readonly HeaderLine[],
  { acknowledgedBy }: WebhookContract,
): Delivery => ({
  role: 'context',
  key: undefined,
  isEffective: false,
  acknowledgedBy,
  change: undefined,
  method: capture.method,
  headers,
  body: bodyOf(capture),
  transport: undefined,
})

/** The header lines with the signature, and what it states beside the body, of this moment; a signed id stays. */
function signedNow(
  headers: readonly HeaderLine[],
  body: Buffer,
  scheme: Scheme,
  secret: string,
  signatureHeader = scheme.header.name,
): HeaderLine[] {
  const rename = renaming(scheme.header.name, signatureHeader)
  const is = (name: string) => (line: HeaderLine) => line[0].toLowerCase() === name.toLowerCase()
  const idName = scheme.stamps?.id
  const id = (idName && headers.find(is(rename(idName)))?.[1]) ?? randomUUID()
  const signing = { id, t: String(Math.floor(Date.now() / 1000)), body }
  const signatureWith = (by: Scheme) =>
    headerWith(by, signing.t, signatureBy(by, signingKey(by, secret), signing))
  const older = olderOf(scheme)
  const lines: HeaderLine[] = [
    ...stampsWith(scheme, signing).map(([name, value]): HeaderLine => [rename(name), value]),
    ...(older === undefined ? [] : [[older.header.name, signatureWith(older)] as const]),
    [signatureHeader, signatureWith(scheme)],
  ]
  // Each stands where it was, so that the rest stays as it is.
  const replaced = headers.flatMap((line, index): HeaderLine[] => {
    const made = lines.find(([name]) => is(name)(line))
    if (made === undefined) return [line]
    return headers.findIndex(is(line[0])) === index ? [[line[0], made[1]]] : []
  })
  return [...replaced, ...lines.filter(([name]) => !headers.some(is(name)))]
}

/** A test that sends a capture again. */
const testText = (runner: 'vitest' | 'node', command: string, { href }: URL): string =>
  `import { execSync } from 'node:child_process'
import { test } from '${runner === 'node' ? 'node:test' : runner}'

// Signs the captured delivery with HOOKPROOF_SECRET, and fails unless the receiver acknowledges it.
test(${JSON.stringify(`acknowledges the captured delivery at ${href}`)}, { timeout: 60_000 }, () => {
  execSync(${JSON.stringify(command)}, { stdio: 'inherit' })
})
`
