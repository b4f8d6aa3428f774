import { randomBytes } from 'node:crypto'
import type { ConformanceReport, Effect } from '../../schemas/types.ts'
import { type PaymentContract, paymentService } from '../contracts/payment-service/index.ts'
import { secretVariables } from '../contracts/secret.ts'
import { withNonce } from '../contracts/webhook/kit.ts'
import type { Target } from '../contracts/webhook/target.ts'
import type { Observer } from '../engine/observe/observe.ts'
import { takesConnections } from '../engine/process/port.ts'
import { excludeStalls } from '../engine/time/awake.ts'
import { HarnessError } from '../harness-error.ts'
import { observedBy, observerOf, requireAtLeast, targetOf } from '../options.ts'
import { inWords } from '../report/words/failures.ts'
import type { CrashOptions } from './options.ts'
import { watchOutput } from './output.ts'
import { createReceiver, type Launching, type World } from './receiver.ts'
import { NO_ROUNDS, runRounds } from './rounds.ts'
import { rotate, tryWithoutSecret } from './secrets.ts'
import type { Attempt } from './send.ts'
import { requireStrace, traceSyncs } from './sync-trace.ts'
import { toCrashReport } from './verdicts.ts'
import { warmUp } from './warm-up.ts'

/**
 * Kills a receiver while it handles payments, starts it again, and judges what survived (SPEC.md 6.7, 7.1 and 7.2), what it
 * does without a secret (5.9) and while its secret is rotated (5.1 and 5.20), and what it prints (11.4 and 11.6).
 *
 * @returns the report of the durable profile: valid under schemas/report.json, without secrets
 * @throws HarnessError when the run could not take place; that says nothing about the receiver
 */
export async function crash(
  options: CrashOptions,
  service: PaymentContract = paymentService,
): Promise<ConformanceReport> {
  const { rounds = 10, round: only, recoverWithinMs = 30_000, startWithinMs = 30_000 } = options
  const { secret, mode = 'test', signal, onStep = () => undefined, onWaiting = () => undefined } = options
  const { seed = randomBytes(4).toString('hex'), cwd = process.cwd(), env = process.env } = options
  const contract = service.requireVersion(options.contract)
  const target = targetOf(options, service)
  for (const [name, value] of Object.entries({ rounds, recoverWithinMs, startWithinMs, round: only }))
    requireAtLeast(name, value, 1)
  if (only !== undefined && only > rounds) throw noSuchRound(only, rounds)
  const observer = requireObserver(options, target, service)
  requireOldSecret(options.rotateEnv)
  if (options.fsyncTrace === true) requireStrace(target.url)
  if (await takesConnections(target.url)) {
    throw new HarnessError('not_started', `something already listens at ${target.url.host}: stop it first`)
  }
  const startedAt = new Date()
  const startedMs = performance.now()
  const output = watchOutput(secret, options.onOutput)
  const sent = ({ delivery }: Attempt) => output.signed(delivery.signed.v1)
  const exactSeed = withNonce(seed)
  const kitOf = (name: string) =>
    service.createKit(`crash/${name}`, {
      secret,
      seed: exactSeed,
      mode,
      now: () => Math.floor(Date.now() / 1000),
    })
  const { url } = target
  const launching: Launching = {
    command: options.start,
    url,
    cwd,
    env: { ...env, ...secretVariables(secret, env) },
    killCommand: options.killCommand,
    output,
  }
  const receiver = createReceiver({
    ...launching,
    target,
    kit: kitOf('probes'),
    startWithinMs,
    sent,
    signal,
    onWaiting,
  })
  const stalledMs = excludeStalls()
  try {
    onStep('starting the receiver, and restarting it once without a crash')
    const warm = await warmUp(receiver, { observer, recoverWithinMs, signal, onWaiting })
    const { startMs, effectMs } = warm
    const world: World = {
      service,
      receiver,
      target,
      kitOf,
      observer,
      output,
      seed,
      recoverWithinMs,
      startMs,
      effectMs,
      signal,
      sent,
      onWaiting,
    }
    const isKept = warm.wrong === undefined || warm.wrong.code === 'doubled-by-restart'
    const { done, late, refusals, notStarted } = isKept
      ? await runRounds({ ...options, rounds }, world)
      : NO_ROUNDS
    if (notStarted === undefined) await receiver.current().stop()
    const synced =
      options.fsyncTrace === true && isKept && notStarted === undefined
        ? await traceSyncs(launching, { ...world, startWithinMs })
        : null
    onStep('starting the receiver without its secret')
    const among = { target, kit: kitOf('without-secret'), startMs }
    const withoutSecret = {
      empty: await tryWithoutSecret('empty', launching, among),
      absent: await tryWithoutSecret('absent', launching, among),
    }
    if (options.rotateEnv !== undefined) onStep('rotating the secret of the receiver')
    const rotation =
      options.rotateEnv === undefined
        ? undefined
        : await rotate(options.rotateEnv, launching, { ...among, kit: kitOf('rotation'), signal, sent })
    return toCrashReport({
      service,
      target,
      contract,
      mode,
      seed,
      startedAt,
      warm,
      rounds: done,
      late,
      refusals,
      notStarted,
      withoutSecret,
      rotation,
      output,
      synced,
      durationMs: performance.now() - startedMs,
      stalledMs: stalledMs(),
      reproduceWith: options.reproduceWith ?? { check: reproduceWith(options) },
    })
  } catch (error) {
    throw inWords(error)
  } finally {
    stalledMs()
    await receiver.end()
  }
}

function noSuchRound(round: number, rounds: number): HarnessError {
  const names = ['round', 'rounds']
  return new HarnessError('bad_option', `"round" is ${round}, but "rounds" is ${rounds}: raise it`, { names })
}

function requireOldSecret(rotateEnv: CrashOptions['rotateEnv']): void {
  if (rotateEnv === undefined || Object.values(rotateEnv).some((text) => text.includes('{old}'))) return
  const names = ['rotateEnv']
  const message = 'a value of "rotateEnv" must contain {old} for the old secret, such as "{new} {old}"'
  throw new HarnessError('bad_option', message, { names })
}

function requireObserver(options: CrashOptions, target: Target, service: PaymentContract): Observer<Effect> {
  const observer = observerOf(options, target, service, options.cwd)
  if (observer !== undefined) return observer
  const names = ['observe', 'observeCommand']
  throw new HarnessError(
    'bad_option',
    'pass "observe" or "observeCommand": without the effects nothing shows what a crash lost',
    { names },
  )
}

function reproduceWith(options: CrashOptions): string[] {
  const { start, killCommand, rounds } = options
  return [
    '--start',
    start,
    ...observedBy(options),
    ...(killCommand === undefined ? [] : ['--kill-command', killCommand]),
    ...(rounds === undefined ? [] : ['--rounds', String(rounds)]),
    ...Object.entries(options.rotateEnv ?? {}).flatMap(([name, text]) => ['--rotate-env', `${name}=${text}`]),
  ]
}
