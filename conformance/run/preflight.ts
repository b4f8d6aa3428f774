import { createKit, type KitOptions } from '../case/kit.ts'
import type { Answer, WireError } from '../case/model.ts'
import { createSender } from '../deliver/http.ts'
import { HarnessError } from '../errors.ts'
import type { Observer } from './observe.ts'
import type { Target } from './target.ts'

/** A Date header has whole seconds, so a smaller difference means nothing. */
const SKEW_SEEN_FROM_SECONDS = 2
/** How far a receiver's clock may be from a `t` that it accepts (SPEC.md 3). */
const WINDOW_SECONDS = 300

const FIXES: Readonly<Record<WireError['code'], string>> = {
  refused: '; start the receiver, or use the address that it listens on',
  reset: '; check that an HTTP server listens there',
  timeout: '; find out why the receiver does not respond, or raise "timeoutMs"',
  dns: '; check the host name',
  tls: '; check the certificate (set NODE_EXTRA_CA_CERTS to trust your own CA), or whether the URL should start with http://',
  unreachable: '; check the address and the network',
  garbled: '; check that an HTTP server listens there',
  local: '; raise the open-file limit (ulimit -n), close other programs, or lower "concurrency"',
}

/** What is known about the receiver before the first case. */
export interface Preflight {
  /** Receiver's clock minus this machine's in whole seconds; undefined when its responses do not show it. */
  readonly skewSeconds: number | undefined
}

/**
 * Sends one valid delivery to find out whether there is a receiver at all, and how far its clock differs.
 *
 * @throws HarnessError `unreachable`, `no_endpoint`, `observation_failed` or `seed_used`.
 */
export async function preflight(
  target: Target,
  kit: KitOptions,
  observer: Observer | undefined,
): Promise<Preflight> {
  const delivery = createKit('preflight', kit).delivery('completed')
  const before = await observer?.effects(delivery.paymentId ?? '')
  if (before !== undefined && before.length > 0) {
    throw new HarnessError(
      'seed_used',
      `the receiver already shows effects of a run with "seed" ${kit.seed}: use another "seed", or check that the observer filters effects by payment id`,
      { names: ['seed'] },
    )
  }
  const sender = createSender(target)
  const { answer, error } = await sender.send(delivery).finally(() => sender.close())
  if (answer === undefined) {
    const fix = FIXES[error?.code ?? 'reset']
    throw new HarnessError('unreachable', `could not reach ${target.url.href}: ${error?.message}${fix}`, {
      names: ['timeoutMs', 'concurrency'].filter((name) => fix.includes(`"${name}"`)),
    })
  }
  if ([404, 405, 501].includes(answer.status)) {
    throw new HarnessError(
      'no_endpoint',
      `${target.url.href} answered ${answer.status} to a valid delivery: check the path of the webhook endpoint`,
    )
  }
  const skewSeconds = skewOf(answer)
  // It accepted a delivery signed by this machine's clock, so a Date far from that is a proxy's, not the receiver's.
  const foreign = answer.status === 200 && Math.abs(skewSeconds ?? 0) > WINDOW_SECONDS
  return { skewSeconds: foreign ? undefined : skewSeconds }
}

function skewOf({ headers }: Answer): number | undefined {
  const date = headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const receiverTime = date === undefined ? Number.NaN : Date.parse(date)
  if (Number.isNaN(receiverTime)) return undefined
  const seconds = Math.round((receiverTime + 500 - Date.now()) / 1000)
  return Math.abs(seconds) >= SKEW_SEEN_FROM_SECONDS ? seconds : 0
}
