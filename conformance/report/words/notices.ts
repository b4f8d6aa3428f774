import { LEAST_SECRET_CHARACTERS } from '../../contracts/secret.ts'
import type { Notice } from '../../engine/pace/slow.ts'
import { counted } from '../wording.ts'

/** What a user should know before a run, or while it goes on, as one line. */
export function noticeText(
  notice: Notice | { readonly code: 'secret_has_space' | 'secret_is_short' },
): string {
  switch (notice.code) {
    case 'secret_has_space':
      return 'the signing secret starts or ends with a space, and is used as it is: remove the space if the receiver does not have it'
    case 'secret_is_short':
      return `the signing secret has fewer than ${LEAST_SECRET_CHARACTERS} characters: use a longer random one, which nobody can guess`
    case 'rate_takes_long': {
      const { perSecond, minutes } = notice
      return `at most ${counted(perSecond, 'delivery', 'deliveries')} a second: the run takes about ${counted(minutes, 'minute')}; ${INTERRUPT}`
    }
    case 'slow_in_parallel':
      return `the receiver takes ${seconds(notice.answerMs)} to answer, so more cases send at the same time`
    case 'slow_in_turn':
      return `the receiver answers one delivery at a time, each in ${seconds(notice.eachMs)}: the run takes about ${notice.minutes} more minutes; ${INTERRUPT}`
    case 'turned_away':
      return `the receiver answers ${notice.status} to every valid delivery; the run waits ${Math.ceil(notice.withinMs / 1000)} s to see whether it accepts one again`
    case 'answers_nothing':
      return `the receiver answers nothing any more; the run ends unless it answers a valid delivery within ${Math.ceil(notice.withinMs / 1000)} s`
  }
}

const INTERRUPT = 'Ctrl-C ends it with a report of what was judged'

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
