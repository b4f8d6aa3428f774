import type { Exchange } from '../../contracts/payment-service/model.ts'
import type { Trial } from '../evidence.ts'
import type { Probing } from './probing.ts'

/** Deliveries that are sent one after another, and must all be accepted. */
const IN_TURN = 8
/** Deliveries that arrive together, in at most so many rounds. */
const TOGETHER = { deliveries: 10, rounds: 6 }
/** A failure is no accident once so many rounds have one. */
const TIMES = 2

const failed = ({ answer }: Pick<Exchange, 'answer'>) => answer !== undefined && answer.status >= 500

/** Whether a valid delivery got an error of the server. */
export const isFailedByServer = ({ shouldAccept, exchange }: Trial): boolean =>
  shouldAccept === true && failed(exchange)

/** Whether valid deliveries fail that arrive together, although each is accepted when it comes alone. */
export async function failsWhenConcurrent(trials: readonly Trial[], probing: Probing): Promise<boolean> {
  if (trials.filter(isFailedByServer).length < TIMES) return false
  const { kit, sender } = probing
  const next = () => sender.send(kit.delivery('completed'))
  for (let n = 0; n < IN_TURN; n += 1) if ((await next()).answer?.status !== 200) return false
  let times = 0
  for (let round = 0; round < TOGETHER.rounds && times < TIMES; round += 1) {
    const exchanges = await Promise.all(Array.from({ length: TOGETHER.deliveries }, next))
    if (exchanges.some(failed)) times += 1
  }
  return times === TIMES
}
