import { randomBytes } from 'node:crypto'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import type { WireError } from '../../../conformance/contracts/webhook/model.ts'
import { createTarget } from '../../../conformance/contracts/webhook/target.ts'
import { classify, timedOut } from '../../../conformance/engine/wire/errors.ts'
import { tlsOptions } from '../../../conformance/engine/wire/trust.ts'
import { httpUrl } from '../../../conformance/http-url.ts'
import { contractOf } from '../../../conformance/options.ts'
import { packageVersion } from '../../../conformance/report/package.ts'
import { harnessError } from '../../../conformance/report/words/failures.ts'
import { type Address, addressOf } from '../../../load/connection.ts'
import type { Template } from '../../../load/request.ts'
import { type LoadOptions, runLoad } from '../../../load/run.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, stopRequest } from '../../shared/io.ts'
import type { SecretOptions } from '../../shared/secret.ts'
import { namedService, readKeySecret, type ServiceOptions, unusedOption } from '../../shared/service.ts'
import { reasonOf } from '../../shared/text.ts'
import { readTrust, type TrustOptions } from '../../shared/trust.ts'
import { printResult } from './report.ts'
import { templateOf } from './templates.ts'

/** What `--export` writes. */
export type Export = 'k6' | 'k6-operator'

/** The options of `hookproof load`; times are in milliseconds. */
export interface LoadCommandOptions extends SecretOptions, ServiceOptions, TrustOptions {
  /** The sample event of another service than the payment service. */
  readonly event?: string
  readonly signatureHeader?: string
  readonly header?: readonly (readonly [string, string])[]
  readonly connections?: number
  readonly duration?: number
  readonly rate?: number
  readonly duplicates?: string
  readonly timeout?: number
  readonly seed?: string
  readonly allowRemote?: true
  readonly json?: true
  readonly export?: Export
}

/** `hookproof load`: load-tests a receiver with individually signed deliveries, and prints the result. */
export async function load(url: string | undefined, options: LoadCommandOptions, io: Io): Promise<ExitCode> {
  const contract = await contractOf(await namedService(options, io))
  const isPayment = contract.id === 'payment-service'
  if (isPayment && options.event !== undefined)
    throw unusedOption('event', 'has no use for the payment service, of which completed payments are sent')
  if (options.export !== undefined) return exportLoad(options.export, url, contract, options, io)
  if (url === undefined) {
    throw new UsageError('pass the URL of the receiver, for example http://localhost:3000/webhooks')
  }
  return run(httpUrl(url), contract, options, io)
}

/** The address of the reference receiver. */
const DEFAULT_URL = 'http://127.0.0.1:3000/webhooks'

/** `hookproof load --export`: writes a load test for another tool to standard output, and sends nothing. */
async function exportLoad(
  kind: Export,
  url: string | undefined,
  contract: WebhookContract,
  options: LoadCommandOptions,
  io: Io,
): Promise<ExitCode> {
  if (kind === 'k6-operator' && url === undefined) {
    throw new UsageError('--export k6-operator needs the URL of the receiver, as the cluster resolves it')
  }
  const { k6Script, k6TestRun } = await import('../../../load/k6/script.ts')
  const { signatureHeader = contract.signatureHeader, seed = 'k6', timeout: timeoutMs = 10_000 } = options
  const { acknowledgedBy, scheme } = contract
  const own = { url: httpUrl(url ?? DEFAULT_URL), seed, signatureHeader, timeoutMs }
  const { key } = scheme
  const k6 = {
    ...own,
    version: packageVersion(),
    ...(contract.id !== 'payment-service' && {
      service: {
        // What is signed with this secret is no part of the script.
        templates: [templateFor(contract, options.event, { ...own, secret: EXPORTED_SECRET })],
        acknowledgedBy,
        ...(key !== 'text' && { base64After: key.base64After }),
      },
    }),
    rate: options.rate ?? 100,
    durationMs: options.duration ?? 10_000,
    connections: options.connections ?? 50,
  }
  io.stdout.write(kind === 'k6' ? k6Script(k6) : k6TestRun(k6))
  return EXIT.ok
}

/** A secret from which every service can make a key. */
const EXPORTED_SECRET = 'aG9va3Byb29mIGV4cG9ydHMgYSBzY3JpcHQ='

/** The template of a sample event; by default the first. */
function templateFor(
  contract: WebhookContract,
  event: string | undefined,
  { seed, ...of }: Pick<LoadOptions, 'url' | 'secret' | 'signatureHeader' | 'timeoutMs' | 'seed'>,
): Template {
  const [first = ''] = contract.samples
  const target = createTarget({ ...of, headers: [], trust: {} })
  return templateOf(contract, event ?? first, { secret: of.secret, seed }, target)
}

async function run(
  url: URL,
  contract: WebhookContract,
  options: LoadCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const address = await resolve(url)
  if (!address.loopback && options.allowRemote === undefined) {
    throw new UsageError(
      `${url.hostname} is another machine, which a load test can bring down: pass --allow-remote if it is yours`,
    )
  }
  const { secret } = await readKeySecret(contract, options, io)
  const { signatureHeader = contract.signatureHeader, seed = randomBytes(4).toString('hex') } = options
  const timeoutMs = options.timeout ?? 10_000
  const loadOptions: LoadOptions = {
    url,
    address,
    secret,
    signatureHeader,
    ...(contract.id !== 'payment-service' && {
      templates: [templateFor(contract, options.event, { url, secret, signatureHeader, timeoutMs, seed })],
    }),
    headers: options.header ?? [],
    connections: options.connections ?? 50,
    durationMs: options.duration ?? 10_000,
    rate: options.rate,
    duplicates: fractionOf(options.duplicates),
    timeoutMs,
    tls: tlsOptions(await readTrust(options, io)),
    seed,
    // Ctrl-C ends the run early, and prints the result so far.
    signal: stopRequest(io, ['SIGINT']),
  }
  const result = await runLoad(loadOptions)

  if (result.answered === 0) {
    const [reason = ''] = Object.keys(result.errors)
    const error = wireError(reason, loadOptions.timeoutMs)
    throw harnessError({ code: 'unreachable', of: 'receiver', address: url.href, error })
  }
  return printResult(result, { json: options.json === true, acknowledgedBy: contract.acknowledgedBy }, io)
}

/** `reason` is a code of Node.js, or one of the words that a connection of the load test uses. */
function wireError(reason: string, timeoutMs: number): WireError {
  if (reason === 'timeout') return timedOut(timeoutMs)
  const code = { not_http: 'HPE_INVALID', closed: 'ECONNRESET' }[reason] ?? reason
  return classify(Object.assign(new Error(reason), { code }))
}

function fractionOf(percent = '0'): number {
  if (/^\d{1,3}$/.test(percent) && Number(percent) <= 100) return Number(percent) / 100
  throw new UsageError(`--duplicates ${percent} is not a percentage: use a whole number from 0 to 100`)
}

async function resolve(url: URL): Promise<Address> {
  try {
    return await addressOf(url)
  } catch (error) {
    throw new UsageError(`cannot resolve ${url.hostname}: ${reasonOf(error)}; check the address`)
  }
}
