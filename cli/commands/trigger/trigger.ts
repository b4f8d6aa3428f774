import { chaosOf } from '../../shared/chaos.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type ClientOptions, findSandbox } from '../../shared/sandbox-client.ts'
import { eventName, type ShownEvent } from '../../shared/sandbox-events.ts'
import { deliveriesText } from '../events/events.ts'
import { planOf } from './trigger-plan.ts'

/** The options of `hookproof trigger`. */
export interface TriggerCommandOptions extends ClientOptions {
  readonly override?: readonly string[]
  readonly method?: string
  readonly payment?: string
  readonly chaos?: readonly string[]
  readonly json?: true
}

const NOBODY =
  'It happened, and nobody gets it: run `npx hookproof listen --forward-to <url>`, register an endpoint, or add --override webhook_url=<url>.\n'

/** `hookproof trigger`: takes a payment of a running sandbox through what leads to an event; all of it or nothing. */
export async function trigger(given: string, options: TriggerCommandOptions): Promise<ExitCode> {
  const { override = [], method, payment, json, sandbox: where } = options
  const name = eventName(given)
  const plan = planOf(name, { overrides: override, method, payment })
  const chaos = chaosOf(options.chaos)
  const sandbox = await findSandbox(where === undefined ? {} : { sandbox: where })
  const { payment_id: id, events } = (await sandbox.call('POST', '/events', {
    event: name,
    ...plan,
    ...(payment !== undefined && { payment_id: payment }),
    ...(chaos && { chaos }),
  })) as unknown as { payment_id: string; events: ShownEvent[] }
  const last = events.at(-1)
  if (last?.event !== name) throw new UsageError(`${name} did not happen, but ${last?.event ?? 'nothing'}`)

  if (json) {
    process.stdout.write(`${JSON.stringify({ payment_id: id, events }, null, 2)}\n`)
    return EXIT.ok
  }
  if (name === 'payment.expired') process.stdout.write("The sandbox's clock is 24 hours further on.\n")
  for (const { id: event, event: what, deliveries } of events) {
    process.stdout.write(`${what} of ${id}: ${event}, ${deliveriesText(deliveries.length)}\n`)
  }
  if (events.every(({ deliveries }) => deliveries.length === 0)) process.stdout.write(NOBODY)
  return EXIT.ok
}
