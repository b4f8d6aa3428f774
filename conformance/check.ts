import { randomBytes } from 'node:crypto'
import type { ConformanceReport } from '../schemas/types.ts'
import type { HeaderLine } from './case/delivery.ts'
import type { Verdict } from './case/model.ts'
import { HarnessError } from './errors.ts'
import type { CheckOptions } from './options.ts'
import { toReport } from './report/report.ts'
import { httpUrl } from './run/http-url.ts'
import { observeCommand, observeUrl, observeWith } from './run/observe.ts'
import { preflight } from './run/preflight.ts'
import { run } from './run/run.ts'
import { select } from './run/select.ts'
import type { Target } from './run/target.ts'

export type { CheckOptions } from './options.ts'

/**
 * Grades a receiver against SPEC.md.
 *
 * @returns the report: valid under schemas/report.json, without secrets.
 * @throws HarnessError when the run could not take place; that is never a verdict on the receiver.
 */
export async function check(options: CheckOptions): Promise<ConformanceReport> {
  const {
    secret,
    mode = 'test',
    seed = randomBytes(4).toString('hex'),
    concurrency = 8,
    timeoutMs = 10_000,
    ackWithinMs = 5_000,
    waitMs = 5_000,
    headers = [],
    only = [],
    skip = [],
  } = options
  const target = targetOf(options, headers, timeoutMs)
  atLeast('concurrency', concurrency, 1)
  for (const [name, value] of Object.entries({ timeoutMs, ackWithinMs, waitMs })) atLeast(name, value, 1)
  const observer = observerOf(options, timeoutMs)
  const profile = options.profile ?? (observer === undefined ? 'core' : 'full')
  const { cases, excluded } = select({ profile, mode, only, skip })

  const startedAt = new Date()
  const began = performance.now()
  const local = { secret, seed, mode, now: () => Math.floor(Date.now() / 1000) }
  const { skewSeconds } = await preflight(target, local, observer)
  const now = () => local.now() + (skewSeconds ?? 0)

  options.onStart?.(cases.length)
  const verdicts: Verdict[] = []
  for await (const verdict of run({
    ...local,
    now,
    target,
    cases,
    observer,
    concurrency,
    ackWithinMs,
    waitMs,
  })) {
    verdicts.push(verdict)
    options.onVerdict?.(verdict)
  }
  const place = new Map(cases.map(({ id }, index) => [id, index]))
  return toReport({
    target,
    started: options.started ?? false,
    startedAt,
    durationMs: performance.now() - began,
    profile,
    mode,
    seed,
    skewSeconds,
    selection: { only, skip },
    excluded,
    verdicts: verdicts.toSorted((a, b) => (place.get(a.case.id) ?? 0) - (place.get(b.case.id) ?? 0)),
  })
}

function targetOf(options: CheckOptions, headers: readonly HeaderLine[], timeoutMs: number): Target {
  const { secret, signatureHeader = 'X-Service-Signature' } = options
  if (secret.trim() === '') {
    throw new HarnessError('bad_option', 'the signing secret is empty: give the one that the receiver uses')
  }
  for (const [name, value] of [[signatureHeader, ''] as const, ...headers]) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\x7e]/.test(value)) {
      throw new HarnessError(
        'bad_option',
        `"${name}" is not a header name, or its value has a line break or a character beyond ASCII`,
      )
    }
  }
  return { url: httpUrl(options.url), secret, signatureHeader, headers, timeoutMs }
}

function observerOf({ observe, observeCommand: command, headers }: CheckOptions, timeoutMs: number) {
  if (observe !== undefined && command !== undefined) {
    throw new HarnessError('bad_option', 'effects are observed by a URL or by a command: give one of the two')
  }
  if (typeof observe === 'function') return observeWith(observe, timeoutMs)
  if (observe !== undefined)
    return observeUrl(httpUrl(observe, 'the address to observe at'), timeoutMs, headers)
  return command === undefined ? undefined : observeCommand(command, timeoutMs)
}

function atLeast(name: string, value: number, least: number): void {
  if (!Number.isFinite(value) || value < least) {
    throw new HarnessError('bad_option', `${name} is ${value}: it must be a number from ${least} on`)
  }
}
