import type { HeaderLine } from './contracts/payment-service/delivery.ts'
import { createTarget, type Target } from './contracts/payment-service/target.ts'
import { HarnessError } from './engine/errors.ts'
import { type Observer, observeCommand, observeWith } from './engine/observe/observe.ts'
import { observeUrl } from './engine/observe/observe-url.ts'
import { httpUrl } from './engine/wire/http-url.ts'
import { isPem, type Trust } from './engine/wire/trust.ts'
import type { CheckOptions } from './options.ts'
import { secretHider } from './report/redact.ts'

/** The options that say what to send to. */
type TargetOptions = Pick<CheckOptions, 'url' | 'secret' | 'signatureHeader' | 'ca' | 'insecure'>

/** Checks the options of a target. @throws HarnessError `bad_option` */
export function targetOf(options: TargetOptions, headers: readonly HeaderLine[], timeoutMs: number): Target {
  const { secret, signatureHeader = 'X-Service-Signature' } = options
  if (secret.trim() === '') {
    throw new HarnessError(
      'bad_option',
      '"secret" must not be empty: use the signing secret of the receiver',
      {
        names: ['secret'],
      },
    )
  }
  requireHeader('signatureHeader', [signatureHeader, ''])
  for (const line of headers) requireHeader('headers', line)
  const trust = trustOf(options)
  return createTarget({ url: httpUrl(options.url), secret, signatureHeader, headers, timeoutMs, trust })
}

function trustOf({ ca, insecure }: TargetOptions): Trust {
  if (ca !== undefined && !isPem(ca)) {
    throw new HarnessError('bad_option', '"ca" must contain certificates in PEM', { names: ['ca'] })
  }
  return { ca, insecure }
}

/** The options that say how effects are observed. */
type ObserverOptions = Pick<
  CheckOptions,
  'secret' | 'headers' | 'observe' | 'observeCommand' | 'observeCommandCwd'
>

/** The observer of a run, or undefined without one. @throws HarnessError `bad_option` */
export function observerOf(options: ObserverOptions, { timeoutMs, trust }: Target): Observer | undefined {
  const { observe, observeCommand: command, observeCommandCwd: cwd, headers } = options
  if (observe !== undefined && command !== undefined) {
    const names = ['observe', 'observeCommand']
    throw new HarnessError('bad_option', 'use either "observe" or "observeCommand", not both', { names })
  }
  if (typeof observe === 'function') return observeWith(observe, timeoutMs)
  if (observe !== undefined) return observeUrl(httpUrl(observe, 'observe'), timeoutMs, headers, trust)
  return command === undefined
    ? undefined
    : observeCommand(command, timeoutMs, { cwd, hide: secretHider(options.secret) })
}

/** How the effects were observed, as arguments of the command; a function has none. */
export function observedBy({
  observe,
  observeCommand: command,
}: Pick<CheckOptions, 'observe' | 'observeCommand'>): string[] {
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
export function requireAtLeast(option: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return
  throw new HarnessError('bad_option', `"${option}" must be at least ${least}, not ${value}`, {
    names: [option],
  })
}
