import type { Context } from '../../context.ts'
import { SCHEDULES } from '../../deliveries/index.ts'
import { HELPERS } from '../../pages/index.ts'

/** One setting that differs from its default. */
interface Setting {
  readonly name: string
  readonly text: string
}

/** The settings of this sandbox that change deliveries or responses and differ from their defaults. */
export function nonDefaultSettings({
  how: { schedule, ack, chaos },
  botProtection,
}: Pick<Context, 'how' | 'botProtection'>): Setting[] {
  const isDefaultSchedule = schedule.join() === SCHEDULES.fast.join()
  const waits = schedule.map((wait) => HELPERS.duration(wait)).join(', ')
  const faults = Object.entries(chaos ?? {}).map(([name, value]) =>
    value === true ? name : `${name}=${value}`,
  )
  return [
    faults.length > 0 && { name: 'Chaos', text: `${faults.join(', ')} (every delivery)` },
    ack === 'strict' && { name: 'Acknowledgment', text: 'only status 200' },
    !isDefaultSchedule && { name: 'Retries', text: schedule.length === 0 ? 'none' : `after ${waits}` },
    botProtection && {
      name: 'Bot protection',
      text: 'on: a missing or automated-looking User-Agent gets 403 and error 1010',
    },
  ].filter((setting) => setting !== false)
}
