import { randomBytes } from 'node:crypto'
import { httpUrl } from '../../../conformance/run/http-url.ts'
import { type Address, addressOf } from '../../../load/address.ts'
import { type LoadResult, runLoad } from '../../../load/run.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { readSecret, reasonOf, type SecretOptions } from '../../shared/options.ts'

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
  readonly thisHostIsMine?: true
  readonly json?: true
}

/** `hookproof load`: individually signed deliveries, as many as the receiver takes, and how it took them. */
export async function load(url: string, options: LoadCommandOptions): Promise<ExitCode> {
  const target = httpUrl(url)
  const address = await find(target)
  if (!address.loopback && options.thisHostIsMine === undefined) {
    throw new UsageError(
      `${target.hostname} is another machine: a load may stop it; give --this-host-is-mine if it is yours`,
    )
  }
  const secret = await readSecret(options)
  const stopping = new AbortController()
  // Whoever has seen enough gets the figures so far.
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  const result = await runLoad({
    url: target,
    address,
    secret,
    signatureHeader: options.signatureHeader ?? 'X-Service-Signature',
    headers: options.header ?? [],
    connections: options.connections ?? 50,
    durationMs: options.duration ?? 10_000,
    rate: options.rate,
    duplicates: shareOf(options.duplicates),
    timeoutMs: options.timeout ?? 10_000,
    seed: options.seed ?? randomBytes(4).toString('hex'),
    signal: stopping.signal,
  })
  process.off('SIGINT', stop)

  if (result.answered === 0) {
    const [reason = 'nothing was sent'] = Object.keys(result.errors)
    throw new UsageError(
      `no answer from ${target.href} (${reason}): start the receiver, or check the address`,
    )
  }
  process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : show(result))
  const accepted = result.statuses['200'] === result.answered && Object.keys(result.errors).length === 0
  return accepted ? EXIT.ok : EXIT.failed
}

function shareOf(percent = '0'): number {
  if (/^\d{1,3}$/.test(percent) && Number(percent) <= 100) return Number(percent) / 100
  throw new UsageError(`--duplicates ${percent} is no share: give a whole number of per cent, from 0 to 100`)
}

async function find(url: URL): Promise<Address> {
  try {
    return await addressOf(url)
  } catch (error) {
    throw new UsageError(`can not find ${url.hostname}: ${reasonOf(error)}; check the address`)
  }
}

function show({ seconds, answered, perSecond, repeated, latency, statuses, errors }: LoadResult): string {
  const counts = (of: Readonly<Record<string, number>>) =>
    Object.entries(of)
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ')
  const ms = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const times = Object.entries(latency).map(([name, value]) => `${name} ${ms(value)}`)
  return [
    `${answered} deliveries in ${seconds.toFixed(1)} s, each signed: ${Math.round(perSecond)} a second`,
    `latency in ms: ${times.join(', ')}`,
    `answers: ${counts(statuses)}`,
    ...(repeated === 0 ? [] : [`sent again: ${repeated}`]),
    ...(Object.keys(errors).length === 0 ? [] : [`without an answer: ${counts(errors)}`]),
    '',
  ].join('\n')
}
