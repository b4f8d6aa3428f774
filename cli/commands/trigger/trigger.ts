import { parseChaos } from '../../shared/chaos.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { type ClientOptions, findSandbox } from '../../shared/sandbox-client.ts'
import { deliveriesText, eventName, type ListedEvent } from '../../shared/sandbox-events.ts'
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

/** `hookproof trigger`: takes a payment of a running sandbox through the steps to an event; all of them or none. */
export async function trigger(event: string, options: TriggerCommandOptions, io: Io): Promise<ExitCode> {
  const { override = [], method, payment, json } = options
  const name = eventName(event)
  const plan = planOf(name, { overrides: override, method, payment })
  const chaos = parseChaos(options.chaos)
  const sandbox = await findSandbox(options, io)
  const { payment_id: id, events } = (await sandbox.call('POST', '/events', {
    event: name,
    ...plan,
    ...(payment !== undefined && { payment_id: payment }),
    ...(chaos && { chaos }),
  })) as unknown as { payment_id: string; events: ListedEvent[] }
  const last = events.at(-1)
  if (last?.event !== name)
    throw new UsageError(`the sandbox sent ${last?.event ?? 'no event'} instead of ${name}`)

  if (json) {
    io.stdout.write(`${JSON.stringify({ payment_id: id, events }, null, 2)}\n`)
    return EXIT.ok
  }
  for (const { id: eventId, event: sent, deliveries } of events) {
    io.stdout.write(`${sent} of ${id}: ${eventId}, ${deliveriesText(deliveries.length)}\n`)
  }
  if (events.every(({ deliveries }) => deliveries.length === 0)) io.stdout.write(NOT_DELIVERED)
  return EXIT.ok
}
