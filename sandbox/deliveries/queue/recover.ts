import type { Outbox } from '../../store/outbox.ts'
import { failure } from '../attempt/failure.ts'

/** Requeues deliveries that were in flight when the process died: they may or may not have arrived, so they are sent again. */
export function recover(box: Outbox, now: number): void {
  for (const delivery of box.inFlight()) {
    const { error, detail } = failure('aborted', 'the sandbox stopped before a response arrived')
    const attempt = { deliveryId: delivery.id, number: delivery.attempts, startedAt: delivery.nextAttemptAt }
    const noResponse = { status: null, responseHeaders: null, responseBody: null }
    box.settle(
      { ...attempt, ...noResponse, durationMs: 0, error, detail, requestHeaders: {} },
      { state: 'pending', nextAttemptAt: now },
      now,
    )
  }
}
