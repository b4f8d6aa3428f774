import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { type ClientOptions, findSandbox } from '../../shared/sandbox-client.ts'
import { eventText, type ShownEvent } from '../../shared/sandbox-events.ts'

interface ListOptions extends ClientOptions {
  readonly payment?: string
  readonly limit?: number
  readonly json?: true
}

/** `hookproof events list`: events of a sandbox with what became of their deliveries. */
export async function list({ payment, limit, json, ...where }: ListOptions): Promise<ExitCode> {
  const sandbox = await findSandbox(where)
  const query = new URLSearchParams({
    ...(payment !== undefined && { payment }),
    ...(limit !== undefined && { limit: String(limit) }),
  })
  const { data } = (await sandbox.call('GET', `/events?${query.toString()}`)) as { data: ShownEvent[] }
  if (json) process.stdout.write(`${JSON.stringify(data, null, 2)}\n`)
  else process.stdout.write(data.length === 0 ? 'No events.\n' : data.map(eventText).join(''))
  return EXIT.ok
}

/** `hookproof events resend`: sends an event, or one delivery of it, again. */
export async function resend(id: string, where: ClientOptions): Promise<ExitCode> {
  const sandbox = await findSandbox(where)
  const path = `/events/${encodeURIComponent(id)}/resend`
  const { event_id: event, deliveries } = (await sandbox.call('POST', path)) as {
    event_id: string
    deliveries: number
  }
  if (deliveries === 0) {
    process.stdout.write(
      `${event} goes to nobody: its payment has no webhook_url, and no endpoint takes it. \`npx hookproof listen\` would.\n`,
    )
    return EXIT.failed
  }
  process.stdout.write(`${event} is sent again: ${deliveriesText(deliveries)}.\n`)
  return EXIT.ok
}

/** How many deliveries, in words. */
export const deliveriesText = (count: number): string => `${count} ${count === 1 ? 'delivery' : 'deliveries'}`
