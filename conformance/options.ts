import type { Effect } from '../schemas/types.ts'
import { paymentService } from './contracts/payment-service/index.ts'
import { secretHider } from './contracts/secret.ts'
import type { WebhookContract } from './contracts/webhook/contract.ts'
import type { Mode } from './contracts/webhook/kit.ts'
import { createTarget, type Target } from './contracts/webhook/target.ts'
import type { HeaderLine } from './engine/delivery.ts'
import {
  type ObservationReader,
  type Observer,
  observeCommand,
  observeWith,
} from './engine/observe/observe.ts'
import { observeUrl } from './engine/observe/observe-url.ts'
import { patienceWith } from './engine/wire/patience.ts'
import { isPem } from './engine/wire/trust.ts'
import { HarnessError } from './harness-error.ts'
import { httpUrl } from './http-url.ts'

/**
 * Reads within this process what the receiver did: the effects of a payment, oldest first, or, for another service, how often
 * it handled the delivery with this key.
 */
type ReadEffects = (key: string) => Shown | Promise<Shown>
type Shown = readonly Effect[] | number

/** Which receiver to send to, with what, and how to observe its effects: the options that `check` and `crash` share. */
export interface TargetOptions {
  /** The webhook endpoint, http or https. */
  readonly url: string
  /** The endpoint's signing secret, prefix included. */
  readonly secret: string
  /** Default `X-Service-Signature`. */
  readonly signatureHeader?: string
  /** Additional header lines for every delivery. Reports show their names only. */
  readonly headers?: readonly HeaderLine[]
  /** How to read the receiver's effects: a URL, requested with `?payment_id=`, for another service `?key=`, or a function. */
  readonly observe?: string | ReadEffects
  /** A shell command that prints the effects of the payment, or for another service the key, that is its last argument. */
  readonly observeCommand?: string
  /** The version of the contract, such as `1.0`. Default: the newest. */
  readonly contract?: string
  /** Default `test`: every event carries `livemode: false`. */
  readonly mode?: Mode
  /** Seed of the generated events. Payment ids differ in each run of more than one case. Default: random per run. */
  readonly seed?: string
  /** How long to wait for a response, in milliseconds. Default 10,000, or the time that the service waits if that is longer. */
  readonly timeoutMs?: number
  /** Certificates in PEM to trust for https, besides those of public authorities. */
  readonly ca?: string
  /** True to accept any certificate of an https server. Default false. */
  readonly insecure?: boolean
  /** Ends the run early. */
  readonly signal?: AbortSignal
}

/** Checks the options of a target. @throws HarnessError `bad_option` */
export function targetOf(options: TargetOptions, service: WebhookContract): Target {
  const {
    secret,
    signatureHeader = service.signatureHeader,
    headers = [],
    timeoutMs = Math.max(10_000, service.ackWithinMs),
    ca,
    insecure,
  } = options
  if (secret.trim() === '') {
    const message = '"secret" must not be empty: use the signing secret of the receiver'
    throw new HarnessError('bad_option', message, { names: ['secret'] })
  }
  requireKey(secret, service)
  requireHeader('signatureHeader', [signatureHeader, ''])
  for (const line of headers) requireHeader('headers', line)
  requireAtLeast('timeoutMs', timeoutMs, 1)
  if (ca !== undefined && !isPem(ca))
    throw new HarnessError('bad_option', '"ca" must contain certificates in PEM', { names: ['ca'] })
  const url = httpUrl(options.url)
  const isHeaderRenamed = signatureHeader !== service.signatureHeader
  return createTarget({
    url,
    secret,
    signatureHeader,
    isHeaderRenamed,
    headers,
    timeoutMs,
    trust: { ca, insecure },
  })
}

/** The contract of a service. Those that a run does not use are not loaded. @throws HarnessError `bad_option` for one that is not known */
export async function contractOf(id: string = paymentService.id): Promise<WebhookContract> {
  if (id === paymentService.id) return paymentService
  const { requireService } = await import('./contracts/services.ts')
  return requireService(id)
}

/** Makes sure that the service can make a key of the secret. @throws HarnessError `bad_option` */
export function requireKey(secret: string, { secretFault }: Pick<WebhookContract, 'secretFault'>): void {
  const fault = secretFault?.(secret)
  if (fault !== undefined) throw new HarnessError('bad_option', `"secret" ${fault}`, { names: ['secret'] })
}

/**
 * The observer of a run, or undefined without one.
 *
 * @param cwd the working directory of the command; default: that of this process
 * @throws HarnessError `bad_option`
 */
export function observerOf<Effect>(
  options: TargetOptions,
  target: Target,
  {
    observation,
    shownBy,
  }: Pick<WebhookContract, 'shownBy'> & { readonly observation: ObservationReader<Effect> },
  cwd?: string,
): Observer<Effect> | undefined {
  const { observe, observeCommand: command, headers, secret } = options
  if (observe !== undefined && command !== undefined) {
    const names = ['observe', 'observeCommand']
    throw new HarnessError('bad_option', 'use either "observe" or "observeCommand", not both', { names })
  }
  if (observe === undefined && command === undefined) return undefined
  if (typeof observe === 'function')
    return observeWith(async (key) => shownBy(await observe(key)), observation, target.timeoutMs)
  const patience = patienceWith(target)
  if (observe !== undefined)
    return observeUrl(httpUrl(observe, 'observe'), observation, patience, headers, target.trust)
  return command === undefined
    ? undefined
    : observeCommand(command, observation, patience, { cwd, hide: secretHider(secret) })
}

/** How the effects were observed, as arguments of the command; a function has none. */
export function observedBy({ observe, observeCommand: command }: TargetOptions): string[] {
  if (typeof observe === 'string') return ['--observe', observe]
  return command === undefined ? [] : ['--observe-command', command]
}

function requireHeader(option: string, [name, value]: HeaderLine): void {
  const names = [option]
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    throw new HarnessError('bad_option', `"${option}": "${name}" is not a valid header name`, { names })
  }
  if (/[^\t\x20-\x7e]/.test(value)) {
    throw new HarnessError(
      'bad_option',
      `"${option}": the value of "${name}" must not contain a line break or a character outside ASCII`,
      { names },
    )
  }
}

/** @throws HarnessError `bad_option` when a number is less than it may be */
export function requireAtLeast(option: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isFinite(value) && value >= least)) return
  throw new HarnessError('bad_option', `"${option}" must be at least ${least}, not ${value}`, {
    names: [option],
  })
}
