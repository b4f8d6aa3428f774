import type { Outbox } from '../../store/outbox.ts'
import { failure } from '../attempt/failure.ts'

/** Puts back what was in flight when the process died: it may or may not have arrived, so it is sent again. */
export function takeUp(box: Outbox, now: number): void {
  for (const delivery of box.inFlight()) {
    const { error, detail } = failure('aborted', 'the sandbox was ended before an answer came')
    const attempt = { deliveryId: delivery.id, number: delivery.attempts, startedAt: delivery.nextAttemptAt }
    const unanswered = { status: null, responseHeaders: null, responseBody: null }
    box.settle(
      { ...attempt, ...unanswered, durationMs: 0, error, detail, requestHeaders: {} },
      { state: 'pending', nextAttemptAt: now },
      now,
    )
  }
}
