import type { Delivery } from '../delivery.ts'
import type { Answer, WireError } from '../exchange.ts'
import type { Target } from '../target.ts'
import { afterAwake, stopwatch } from '../time/awake.ts'
import { cutAnswer } from './answers.ts'
import { classify, timedOut } from './errors.ts'
import { connect, requestBytes } from './socket.ts'

/** What was received. Fewer responses than deliveries and no error means that the receiver closed the connection cleanly. */
interface Conversation {
  readonly answers: readonly Answer[]
  readonly error: WireError | undefined
  /** Set when the sender closed the connection, because no response arrived in the time that it wanted to wait. */
  readonly hungUp?: true
}

/**
 * Sends deliveries in one write on a separate connection, and reads their responses.
 *
 * @param withinMs how long to wait for responses once everything is sent, in milliseconds; default: the timeout of the run
 */
export function converse(
  deliveries: readonly Delivery[],
  target: Target,
  withinMs = Number.POSITIVE_INFINITY,
): Promise<Conversation> {
  return new Promise((resolve) => {
    const taken = stopwatch()
    const answers: Answer[] = []
    let received: Buffer = Buffer.alloc(0)
    const socket = connect(target)
    let hangUp: (() => void) | undefined
    const finish = (error?: WireError, hungUp?: true): void => {
      cancel()
      hangUp?.()
      socket.destroy()
      resolve({ answers, error, ...(hungUp && { hungUp }) })
    }
    const cancel = afterAwake(target.timeoutMs, () => finish(timedOut(target.timeoutMs)))
    const read = (ended: boolean): void => {
      for (;;) {
        const cut = cutAnswer(received, ended)
        if (cut === undefined) break
        answers.push({ ...cut.answer, ...taken() })
        received = cut.rest
        if (cut.last || answers.length === deliveries.length) return finish()
      }
      if (ended) finish(answers.length === 0 ? classify(new Error('no response')) : undefined)
    }
    const orGarbled = (ended: boolean): void => {
      try {
        read(ended)
      } catch (error) {
        finish(classify(error))
      }
    }
    socket.on('error', (error) => finish(classify(error)))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      orGarbled(false)
    })
    socket.on('end', () => orGarbled(true))
    socket.on('close', () => orGarbled(true))
    socket.write(Buffer.concat(deliveries.flatMap((delivery) => requestBytes(delivery, target))), () => {
      if (withinMs < target.timeoutMs) hangUp = afterAwake(withinMs, () => finish(undefined, true))
    })
  })
}
