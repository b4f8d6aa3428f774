import { randomBytes } from 'node:crypto'
import type { ConformanceReport } from '../schemas/types.ts'
import type { HeaderLine, Mode, Profile, Verdict } from './case/model.ts'
import { HarnessError } from './errors.ts'
import { toReport } from './report/report.ts'
import { observeCommand, observeUrl, observeWith, type ReadEffects } from './run/observe.ts'
import { preflight } from './run/preflight.ts'
import { run } from './run/run.ts'
import { select } from './run/select.ts'
import type { Target } from './run/target.ts'

/** What to check and how. Only `url` and `secret` are needed. */
export interface CheckOptions {
  /** The webhook endpoint, http or https. */
  readonly url: string
  /** The endpoint's signing secret, prefix included. */
  readonly secret: string
  /** Default `X-Service-Signature`. */
  readonly signatureHeader?: string
  /** Further header lines for every delivery. Reports show their names only. */
  readonly headers?: readonly HeaderLine[]
  /** Where the receiver shows its effects: a URL, asked with `?payment_id=`, or a function of this program. */
  readonly observe?: string | ReadEffects
  /** A command that prints the effects of the payment id given as its last argument. */
  readonly observeCommand?: string
  /** Working directory of `observeCommand`. Default: that of this process. */
  readonly observeCommandCwd?: string
  /** Default `full` when effects can be observed, else `core`. */
  readonly profile?: Profile
  /** Default `test`: every event carries `livemode: false`. */
  readonly mode?: Mode
  /** Globs over case ids. Default: all. */
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  /** Default: drawn anew for each run. */
  readonly seed?: string
  /** How many cases send at once. Default 8. */
  readonly concurrency?: number
  /** How long an answer is waited for, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number
  /** How long an acknowledgement may take, in milliseconds (SPEC.md 6.2). Default 5,000. */
  readonly ackWithinMs?: number
  /** How long effects are waited for, in milliseconds. Default 5,000. */
  readonly waitMs?: number
  /** True when the receiver was started for this run alone, as the report then says. */
  readonly started?: boolean
  /** Called before the first case, with how many there are. */
  readonly onStart?: (cases: number) => void
  /** Called with each verdict as it is reached, in no particular order. */
  readonly onVerdict?: (verdict: Verdict) => void
}

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

function observerOf(options: CheckOptions, timeoutMs: number) {
  const { observe, observeCommand: command, observeCommandCwd: cwd, headers } = options
  if (observe !== undefined && command !== undefined) {
    throw new HarnessError('bad_option', 'effects are observed by a URL or by a command: give one of the two')
  }
  if (typeof observe === 'function') return observeWith(observe, timeoutMs)
  if (observe !== undefined)
    return observeUrl(httpUrl(observe, 'the address to observe at'), timeoutMs, headers)
  return command === undefined ? undefined : observeCommand(command, timeoutMs, cwd)
}

/**
 * Parses an http or https URL.
 *
 * @param option what the URL is given as, for the message
 * @throws HarnessError `bad_option`; the message never shows a password
 */
export function httpUrl(text: string, option = 'the URL'): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new HarnessError(
      'bad_option',
      `${option} has a user name or password: leave it out, and give --header "Authorization: ..." instead`,
    )
  }
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new HarnessError(
      'bad_option',
      `${option} is "${text}", which is not an http or https address such as http://localhost:3000/webhooks`,
    )
  }
  return url
}

function atLeast(name: string, value: number, least: number): void {
  if (!Number.isFinite(value) || value < least) {
    throw new HarnessError('bad_option', `${name} is ${value}: it must be a number from ${least} on`)
  }
}
