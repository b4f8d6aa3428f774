import { randomBytes } from 'node:crypto'
import { httpUrl } from '../../../conformance/run/http-url.ts'
import { type Address, addressOf } from '../../../load/address.ts'
import { type LoadResult, runLoad } from '../../../load/run.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, stopRequest } from '../../shared/io.ts'
import { readSecret, type SecretOptions } from '../../shared/secret.ts'
import { SIGNATURE_HEADER } from '../../shared/shared-options.ts'
import { reasonOf } from '../../shared/text.ts'

/** The options of `hookproof load`; times are in milliseconds. */
export interface LoadCommandOptions extends SecretOptions {
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
}

/** `hookproof load`: load-tests a receiver with individually signed deliveries, and prints the result. */
export async function load(url: string, options: LoadCommandOptions, io: Io): Promise<ExitCode> {
  const target = httpUrl(url)
  const address = await resolve(target)
  if (!address.loopback && options.allowRemote === undefined) {
    throw new UsageError(
      `${target.hostname} is another machine, which a load test can bring down: pass --allow-remote if it is yours`,
    )
  }
  const secret = await readSecret(options, io)
  const result = await runLoad({
    url: target,
    address,
    secret,
    signatureHeader: options.signatureHeader ?? SIGNATURE_HEADER,
    headers: options.header ?? [],
    connections: options.connections ?? 50,
    durationMs: options.duration ?? 10_000,
    rate: options.rate,
    duplicates: fractionOf(options.duplicates),
    timeoutMs: options.timeout ?? 10_000,
    seed: options.seed ?? randomBytes(4).toString('hex'),
    // Ctrl-C ends the run early, and prints the result so far.
    signal: stopRequest(io, ['SIGINT']),
  })

  if (result.answered === 0) {
    const [reason = 'nothing was sent'] = Object.keys(result.errors)
    throw new UsageError(
      `no response from ${target.href} (${reason}): start the receiver, or check the address`,
    )
  }
  io.stdout.write(options.json ? `${JSON.stringify(result)}\n` : resultText(result))
  const accepted = result.statuses['200'] === result.answered && Object.keys(result.errors).length === 0
  return accepted ? EXIT.ok : EXIT.failed
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

function resultText({
  seconds,
  answered,
  perSecond,
  repeated,
  latency,
  statuses,
  errors,
}: LoadResult): string {
  const counts = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers)
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ')
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const times = Object.entries(latency).map(([name, value]) => `${name} ${ms(value)}`)
  return [
    `${answered} signed deliveries in ${seconds.toFixed(1)} s: ${Math.round(perSecond)} per second`,
    `latency in ms: ${times.join(', ')}`,
    `responses: ${counts(statuses)}`,
    ...(repeated === 0 ? [] : [`duplicates: ${repeated}`]),
    ...(Object.keys(errors).length === 0 ? [] : [`no response: ${counts(errors)}`]),
    '',
  ].join('\n')
}
