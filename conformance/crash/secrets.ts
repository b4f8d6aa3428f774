import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kit } from '../contracts/payment-service/index.ts'
import { withSecret } from '../contracts/secret.ts'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import type { Target } from '../contracts/webhook/target.ts'
import { launch } from '../engine/process/launch.ts'
import { takesConnections } from '../engine/process/port.ts'
import { awakeNow } from '../engine/time/awake.ts'
import { excludeReceiverDelay } from '../engine/time/receiver-delay.ts'
import type { Launching } from './receiver.ts'
import { type Attempt, send } from './send.ts'

const PREFIX = /^[a-z]+_/i
const HEX = /^[0-9a-f]*$/i

/**
 * Makes a random secret of the same form: the same prefix and length, and in each place a character of the same kind, so
 * that a receiver that validates secrets accepts it.
 */
export function secretLike(secret: string): string {
  const prefix = PREFIX.exec(secret)?.[0] ?? ''
  const rest = secret.slice(prefix.length)
  const letters = HEX.test(rest) ? 6 : 26
  const from = (first: string, count: number) => String.fromCharCode(first.charCodeAt(0) + randomInt(count))
  const other = rest.replace(/[0-9a-z]/gi, (character) => {
    if (/\d/.test(character)) return from('0', 10)
    return from(/[a-z]/.test(character) ? 'a' : 'A', letters)
  })
  // One of the few secrets of a few characters is likely to come up again.
  return prefix + (other === rest ? `${other}0` : other)
}

/** What a receiver did that was started without a signing secret (SPEC.md 5.9). */
export type WithoutSecret =
  | { readonly outcome: 'refused-to-start' | 'refused-all' | 'not-listening' }
  | { readonly outcome: 'accepted'; readonly sent: Attempt }
  /** It has the secret from somewhere else, so the missing variable proves nothing. */
  | { readonly outcome: 'has-the-secret' }

/** How long it may take to listen, to end or to be ready, as a multiple of a normal start, and in milliseconds at least. */
const STARTS = 4
const LEAST_MS = 2_000
/** The same for listening with secrets that it should accept: a busy machine may need seconds. */
const LEAST_TO_LISTEN_MS = 10_000
const POLL_MS = 10
/** A process that started the receiver in the background may have ended. */
const ENDED_FOR_MS = 300
/** What programs make of a secret that is not there, used as a key. */
const KEYS = ['', 'undefined', 'null', 'None', 'nil', 'NULL', 'false']

/** Starts the receiver with its secret empty or absent, sends deliveries that nobody has signed with it, and kills it. */
export async function tryWithoutSecret(
  how: 'empty' | 'absent',
  options: Launching,
  { target, kit, startMs }: { readonly target: Target; readonly kit: Kit; readonly startMs: number },
): Promise<WithoutSecret> {
  const env = withSecret(options.env, target.secret, how === 'empty' ? '' : undefined)
  const outcome = await whileRunning({ ...options, env }, { startMs, mayEnd: false }, async () => {
    // Together, because a server may listen without ever answering.
    const control = send(kit.delivery('completed'), target)
    const all = await Promise.all(forged(kit).map((delivery) => send(delivery, target)))
    const accepted = all.find(({ status }) => status === 200)
    if (accepted !== undefined) return { outcome: 'accepted', sent: accepted } as const
    return { outcome: (await control).status === 200 ? 'has-the-secret' : 'refused-all' } as const
  })
  return outcome === 'refused-to-start' || outcome === 'not-listening' ? { outcome } : outcome
}

function forged(kit: Kit): Delivery[] {
  const plain = kit.delivery('completed')
  return [
    { ...plain, signature: [], change: 'no signature header' },
    ...KEYS.map((secret) => ({
      ...kit.redelivery(kit.delivery('completed'), { secret }),
      change: secret === '' ? 'signed with an empty key' : `signed with the key "${secret}"`,
    })),
  ]
}

/** The last responses to deliveries that were signed with each secret, and with both as one text. */
interface Answers {
  readonly old: Attempt
  readonly fresh: Attempt
  readonly asOne: readonly Attempt[]
}

/** What a receiver did while its secret was rotated (SPEC.md 5.1 and 5.20); undefined where it did not listen. */
export interface Rotation {
  /** Started with both secrets. */
  readonly both: Answers | undefined
  /** Started with the new secret alone. */
  readonly after: Answers | undefined
}

interface Among {
  readonly target: Target
  readonly kit: Kit
  readonly startMs: number
  readonly signal: AbortSignal | undefined
  readonly sent: (sent: Attempt) => void
}

/**
 * Starts the receiver with a new secret and the old one, then with the new one alone, and kills it.
 *
 * @param variables what its environment also contains while it has both, with `{old}` and `{new}` for the secrets
 */
export async function rotate(
  variables: Readonly<Record<string, string>>,
  options: Launching,
  among: Among,
): Promise<Rotation> {
  const { target, kit } = among
  const old = target.secret
  const fresh = secretLike(old)
  const env = withSecret(options.env, old, fresh)
  const filled = Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [
      name,
      text.replaceAll('{old}', old).replaceAll('{new}', fresh),
    ]),
  )

  async function sendSigned(secret: string): Promise<Attempt> {
    const change = `signed with ${secret === fresh ? 'the new secret' : secret === old ? 'the old secret' : 'both secrets as one text'}`
    const sent = await send({ ...kit.redelivery(kit.delivery('completed'), { secret }), change }, target)
    among.sent(sent)
    return sent
  }
  /** Sends a delivery signed with each secret, again while the receiver may not have started entirely. */
  async function answersTo(secrets: readonly string[], deadline: number): Promise<Answers> {
    for (;;) {
      const all = await Promise.all(secrets.map(sendSigned))
      const isReady = all.some(({ status }) => status === 200) && all.every(isFinal)
      const [first, second, ...asOne] = all
      if (first !== undefined && second !== undefined && (isReady || awakeNow() > deadline))
        return { old: first, fresh: second, asOne }
      await pause(POLL_MS)
    }
  }

  // A receiver that knows no list of secrets uses the text that it gets as one.
  const texts = Object.values(filled).filter((text) => text !== old && text.includes(old))
  const waiting = { ...among, mayEnd: true }
  const both = await whileRunning({ ...options, env: { ...env, ...filled } }, waiting, (deadline) =>
    answersTo([old, fresh, ...texts], deadline),
  )
  const after = await whileRunning({ ...options, env }, waiting, (deadline) =>
    answersTo([old, fresh], deadline),
  )
  return { both: orUndefined(both), after: orUndefined(after) }
}

/** Whether a receiver that has started would not answer otherwise. */
function isFinal({ status }: Attempt): boolean {
  return status !== undefined && status < 500 && ![408, 425, 429].includes(status)
}

/**
 * Runs the receiver while `work` does, once it listens.
 *
 * @param mayEnd whether the process may end before it listens, as one does that starts the receiver in the background
 */
async function whileRunning<T>(
  options: Launching,
  { startMs, signal, mayEnd }: Pick<Among, 'startMs'> & Partial<Among> & { readonly mayEnd: boolean },
  work: (deadline: number) => Promise<T>,
): Promise<T | 'refused-to-start' | 'not-listening'> {
  signal?.throwIfAborted()
  const process = launch(options)
  let endDelay = (): void => undefined
  try {
    const patienceMs = Math.max(startMs * STARTS, LEAST_MS)
    const deadline = awakeNow() + (mayEnd ? Math.max(patienceMs, LEAST_TO_LISTEN_MS) : patienceMs)
    let endedAt: number | undefined
    while (!(await takesConnections(options.url))) {
      signal?.throwIfAborted()
      if (!mayEnd && process.hasEnded()) endedAt ??= awakeNow()
      if (endedAt !== undefined && awakeNow() - endedAt > ENDED_FOR_MS) return 'refused-to-start'
      if (awakeNow() > deadline) return 'not-listening'
      await pause(POLL_MS)
    }
    endDelay = excludeReceiverDelay(options.url)
    return await work(awakeNow() + patienceMs)
  } finally {
    endDelay()
    process.killNow()
    await process.gone()
  }
}

/** What was answered, or undefined where the receiver did not listen. */
const orUndefined = (answers: Answers | string): Answers | undefined =>
  typeof answers === 'string' ? undefined : answers
