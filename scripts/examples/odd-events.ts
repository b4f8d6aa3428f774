import { inspect } from 'node:util'
import { createGenerator } from '../../fixtures/index.ts'
import type { ServiceEvent } from '../../schemas/types.ts'
import { deliver, effectsOf, hasEffects } from './deliveries.ts'
import type { Setting } from './running.ts'

const NO_MONEY = [
  undefined,
  null,
  '',
  '0',
  '0.00',
  '-25.00',
  '+25.00',
  '1e3',
  '25,00',
  '25.',
  '.50',
  '25.00\n',
  {},
]

/** Fields of a completion that the interface does not describe. None of them is live money. */
const ODD_FIELDS: readonly Readonly<Record<string, unknown>>[] = [
  ...[null, 'false', 'true', 0, 1].map((livemode) => ({ livemode })),
  ...NO_MONEY.map((amount) => ({ amount })),
]

/**
 * Sends signed events that the interface does not describe to a running example, which must neither take them for live
 * money nor try them again forever.
 * @returns what is not as it should be, one line each
 * @throws Error if one is not acknowledged
 */
export async function faultsOfOddEvents(setting: Setting): Promise<string[]> {
  const generator = createGenerator(`odd ${Date.now()}`, { livemode: true })
  const send = async (event: ServiceEvent) => {
    await deliver(setting, event)
    return event
  }
  const faults: string[] = []
  const sent: { fields: object; event: ServiceEvent }[] = []
  for (const fields of ODD_FIELDS)
    sent.push({ fields, event: await send(generator.event('completed', fields)) })

  // It comes last, and shows that the others have been handled.
  const { id } = await send(generator.event('completed'))
  const refund = await send(generator.event('refund', { id, amount: undefined, currency: undefined }))
  if (!(await hasEffects(2, refund, setting))) faults.push('a refund without an amount does not reverse')

  for (const { fields, event } of sent) {
    const effects = await effectsOf(event, setting)
    const isMoney =
      'amount' in fields ? effects.length > 0 : effects.some(({ livemode }) => livemode !== false)
    if (isMoney) faults.push(`a completion with ${inspect(fields)} is fulfilled as live money`)
  }
  return faults
}
