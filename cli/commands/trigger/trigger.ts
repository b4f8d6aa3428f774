import { setTimeout as pause } from 'node:timers/promises'
import { parseChaos } from '../../shared/chaos.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { inProject } from '../../shared/runner.ts'
import { type ClientOptions, findSandbox, type SandboxClient } from '../../shared/sandbox-client.ts'
import { deliveriesText, deliveryLine, eventName, type ListedEvent } from '../../shared/sandbox-events.ts'
import { planOf } from './trigger-plan.ts'

/** The options of `hookproof trigger`. */
export interface TriggerCommandOptions extends ClientOptions {
  readonly override?: readonly string[]
  readonly method?: string
  readonly payment?: string
  readonly chaos?: readonly string[]
  readonly json?: true
}

const NOT_DELIVERED =
  'Not delivered: no matching endpoint. Run `npx hookproof listen --forward-to <url>`, register an endpoint, or add --override webhook_url=<url>.\n'

const NOT_ACKNOWLEDGED =
  'Not delivered: a receiver did not acknowledge the first attempt. The sandbox tries again; the page of the event shows what was sent and received.\n'

/** The sandbox waits 10 s for a response. In milliseconds. */
const PATIENCE_MS = 15_000
const POLL_MS = 50

/** `hookproof trigger`: takes a payment of a running sandbox through the steps to an event; all of them or none. */
export async function trigger(event: string, options: TriggerCommandOptions, io: Io): Promise<ExitCode> {
  const { override = [], method, payment, json } = options
  const name = eventName(event)
  const plan = planOf(name, { overrides: override, method, payment })
  const chaos = parseChaos(options.chaos)
  const sandbox = await findSandbox(options, io)
  const { payment_id: id, events: created } = (await sandbox.call('POST', '/events', {
    event: name,
    ...plan,
    ...(payment !== undefined && { payment_id: payment }),
    ...(chaos && { chaos }),
  })) as unknown as { payment_id: string; events: ListedEvent[] }
  const last = created.at(-1)
  if (last?.event !== name)
    throw new UsageError(`the sandbox sent ${last?.event ?? 'no event'} instead of ${name}`)
  // Faults delay attempts and make them fail on purpose.
  const events = chaos === undefined ? await attempted(sandbox, id, created) : created
  const all = events.flatMap(({ deliveries }) => deliveries)
  const isDelivered =
    all.length > 0 &&
    (chaos !== undefined || all.every(({ state, faulty }) => state === 'delivered' || faulty === true))
  const code = isDelivered ? EXIT.ok : EXIT.failed
  if (json) {
    io.stdout.write(`${JSON.stringify({ payment_id: id, events }, null, 2)}\n`)
    return code
  }
  for (const { id: eventId, event: sent, deliveries } of events) {
    io.stdout.write(`${sent} of ${id}: ${eventId}, ${deliveriesText(deliveries.length)}\n`)
    if (chaos === undefined) io.stdout.write(deliveries.map(deliveryLine).join(''))
  }
  if (!isDelivered) io.stdout.write(all.length === 0 ? inProject(NOT_DELIVERED, io) : NOT_ACKNOWLEDGED)
  return code
}

/** The events after the first attempt of each delivery. */
async function attempted(
  sandbox: SandboxClient,
  payment: string,
  created: readonly ListedEvent[],
): Promise<readonly ListedEvent[]> {
  const end = performance.now() + PATIENCE_MS
  for (let events = created; ; ) {
    const isWaiting = events.some(({ deliveries }) => deliveries.some(isUnattempted))
    if (!isWaiting || performance.now() > end) return events
    await pause(POLL_MS)
    const query = new URLSearchParams({ payment, limit: '100' })
    const { data } = (await sandbox.call('GET', `/events?${query.toString()}`)) as { data: ListedEvent[] }
    events = created.map((event) => data.find(({ id }) => id === event.id) ?? event)
  }
}

const isUnattempted = ({ state, attempts }: ListedEvent['deliveries'][number]): boolean =>
  state === 'in_flight' || (state === 'pending' && attempts === 0)
