import { deliveriesText } from './events.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { chaosOf } from './sandbox-chaos.ts'
import { type ClientOptions, findSandbox, type SandboxClient } from './sandbox-client.ts'
import { eventName, type ShownEvent } from './sandbox-events.ts'
import { type Plan, planOf } from './trigger-plan.ts'

/** The options of `hookproof trigger`. */
export interface TriggerCommandOptions extends ClientOptions {
  readonly override?: readonly string[]
  readonly method?: string
  readonly payment?: string
  readonly chaos?: readonly string[]
  readonly json?: true
}

/** `hookproof trigger`: takes a payment of a running sandbox through what leads to an event. */
export async function trigger(given: string, options: TriggerCommandOptions): Promise<ExitCode> {
  const { override = [], method, payment, json, sandbox: where } = options
  const plan = planOf(eventName(given), { overrides: override, method, payment })
  const chaos = chaosOf(options.chaos)
  const sandbox = await findSandbox(where === undefined ? {} : { sandbox: where })
  const id = payment ?? (await made(sandbox, plan))
  const before = new Set((await eventsOf(sandbox, id)).map((event) => event.id))
  for (const step of plan.steps) {
    await sandbox.call(
      'POST',
      `/payments/${encodeURIComponent(id)}/actions`,
      chaos ? { ...step, chaos } : step,
    )
  }
  if (plan.advanceMs > 0) await sandbox.call('POST', '/clock', { advance_ms: plan.advanceMs })
  const events = (await eventsOf(sandbox, id)).filter((event) => !before.has(event.id)).toReversed()

  if (json) {
    process.stdout.write(`${JSON.stringify({ payment_id: id, events }, null, 2)}\n`)
    return EXIT.ok
  }
  if (plan.advanceMs > 0) process.stdout.write("The sandbox's clock is 24 hours further on.\n")
  for (const { id: event, event: name, deliveries } of events) {
    process.stdout.write(`${name} of ${id}: ${event}, ${deliveriesText(deliveries.length)}\n`)
  }
  if (events.every(({ deliveries }) => deliveries.length === 0)) {
    process.stdout.write(
      'Nobody gets it: run `hookproof listen --forward-to <url>`, register an endpoint, or add --override webhook_url=<url>.\n',
    )
  }
  return EXIT.ok
}

async function made(sandbox: SandboxClient, { mode, payment }: Plan): Promise<string> {
  const { id } = await sandbox.call('POST', `/payments?mode=${mode}`, payment)
  return String(id)
}

/** Newest first. */
async function eventsOf(sandbox: SandboxClient, payment: string): Promise<ShownEvent[]> {
  const query = new URLSearchParams({ payment, limit: '100' })
  return ((await sandbox.call('GET', `/events?${query.toString()}`)) as { data: ShownEvent[] }).data
}
