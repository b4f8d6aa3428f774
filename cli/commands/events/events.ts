import { EXIT, type ExitCode } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { inProject } from '../../shared/runner.ts'
import { type ClientOptions, findSandbox } from '../../shared/sandbox-client.ts'
import { deliveriesText, eventText, type ListedEvent } from '../../shared/sandbox-events.ts'

interface ListOptions extends ClientOptions {
  readonly payment?: string
  readonly limit?: number
  readonly json?: true
}

/** `hookproof events list`: lists the events of a sandbox with the state of their deliveries. */
export async function listEvents(options: ListOptions, io: Io): Promise<ExitCode> {
  const { payment, limit, json } = options
  const sandbox = await findSandbox(options, io)
  const query = new URLSearchParams({
    ...(payment !== undefined && { payment }),
    ...(limit !== undefined && { limit: String(limit) }),
  })
  const { data } = (await sandbox.call('GET', `/events?${query.toString()}`)) as { data: ListedEvent[] }
  if (json) io.stdout.write(`${JSON.stringify(data, null, 2)}\n`)
  else io.stdout.write(data.length === 0 ? 'No events.\n' : data.map(eventText).join(''))
  return EXIT.ok
}

/** `hookproof events resend`: resends an event, or one of its deliveries. */
export async function resend(id: string, options: ClientOptions, io: Io): Promise<ExitCode> {
  const sandbox = await findSandbox(options, io)
  const path = `/events/${encodeURIComponent(id)}/resend`
  const { event_id: event, deliveries } = (await sandbox.call('POST', path)) as {
    event_id: string
    deliveries: number
  }
  if (deliveries === 0) {
    io.stdout.write(
      inProject(
        `${event} not delivered: no matching endpoint, and its payment has no webhook_url. Run \`npx hookproof listen\` to receive it.\n`,
        io,
      ),
    )
    return EXIT.failed
  }
  io.stdout.write(`Resent ${event}: ${deliveriesText(deliveries)}.\n`)
  return EXIT.ok
}
