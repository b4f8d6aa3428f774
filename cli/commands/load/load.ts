import { randomBytes } from 'node:crypto'
import type { WireError } from '../../../conformance/contracts/payment-service/model.ts'
import { unreachable } from '../../../conformance/engine/unreachable.ts'
import { classify, timedOut } from '../../../conformance/engine/wire/errors.ts'
import { httpUrl } from '../../../conformance/engine/wire/http-url.ts'
import { tlsOptions } from '../../../conformance/engine/wire/trust.ts'
import { type Address, addressOf } from '../../../load/connection.ts'
import { type LoadOptions, runLoad } from '../../../load/run.ts'
import { type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, stopRequest } from '../../shared/io.ts'
import { readSecret } from '../../shared/secret.ts'
import { SIGNATURE_HEADER } from '../../shared/shared-options.ts'
import { reasonOf } from '../../shared/text.ts'
import { readTrust } from '../../shared/trust.ts'
import type { LoadCommandOptions } from './options.ts'
import { printReport, reportOf } from './report.ts'

/** `hookproof load`: load-tests a receiver with individually signed deliveries, and prints the result. */
export async function load(url: string | undefined, options: LoadCommandOptions, io: Io): Promise<ExitCode> {
  const json = options.json === true
  if (options.export !== undefined) {
    return (await import('./export.ts')).exportLoad(options.export, url, options, io)
  }
  if (options.merge !== undefined) {
    if (url === undefined) return (await import('./merge.ts')).merge(options.merge, json, io)
    throw new UsageError(`--merge reads results and sends nothing: leave out the URL ${url}`)
  }
  if (url === undefined) {
    throw new UsageError('pass the URL of the receiver, for example http://localhost:3000/webhooks')
  }
  return run(httpUrl(url), options, io)
}

async function run(url: URL, options: LoadCommandOptions, io: Io): Promise<ExitCode> {
  const address = await resolve(url)
  if (!address.loopback && options.allowRemote === undefined) {
    throw new UsageError(
      `${url.hostname} is another machine, which a load test can bring down: pass --allow-remote if it is yours`,
    )
  }
  const loadOptions: LoadOptions = {
    url,
    address,
    secret: await readSecret(options, io),
    signatureHeader: options.signatureHeader ?? SIGNATURE_HEADER,
    headers: options.header ?? [],
    connections: options.connections ?? 50,
    durationMs: options.duration ?? 10_000,
    rate: options.rate,
    duplicates: fractionOf(options.duplicates),
    timeoutMs: options.timeout ?? 10_000,
    tls: tlsOptions(await readTrust(options, io)),
    seed: options.seed ?? randomBytes(4).toString('hex'),
    // Ctrl-C ends the run early, and prints the result so far.
    signal: stopRequest(io, ['SIGINT']),
  }
  const result = await runLoad(loadOptions)

  if (result.answered === 0) {
    const [reason = ''] = Object.keys(result.errors)
    throw unreachable(url.href, wireError(reason, loadOptions.timeoutMs))
  }
  return printReport(reportOf(result, loadOptions), options.json === true, io)
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
