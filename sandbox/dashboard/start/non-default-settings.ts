import type { Context } from '../../context.ts'
import { SCHEDULES } from '../../deliveries/index.ts'
import { HELPERS } from '../../pages/helpers.ts'

/** One thing that is not as it is by itself: a name, and what it means. */
interface Unusual {
  readonly name: string
  readonly text: string
}

/** How this sandbox was started, as far as deliveries and answers differ from those of one that was told nothing. */
export function unusualOf({
  how: { schedule, ack, chaos },
  botProtection,
}: Pick<Context, 'how' | 'botProtection'>): Unusual[] {
  const isFast = schedule.join() === SCHEDULES.fast.join()
  const waits = schedule.map((wait) => HELPERS.span(wait)).join(', ')
  const wrong = Object.entries(chaos ?? {}).map(([name, value]) =>
    value === true ? name : `${name}=${value}`,
  )
  return [
    wrong.length > 0 && { name: 'Chaos', text: `${wrong.join(', ')}: in every delivery` },
    ack === 'strict' && { name: 'Acknowledged', text: 'by status 200 alone' },
    !isFast && { name: 'Retries', text: schedule.length === 0 ? 'none' : `after ${waits}` },
    botProtection && {
      name: 'Bot protection',
      text: 'on: a User-Agent that is missing or looks automated gets 403 and error 1010',
    },
  ].filter((one) => one !== false)
}
