import { whileHeld } from '../../../../engine/plan.ts'
import { acceptedMeanwhile } from '../../expectations/aftermath.ts'
import { sentAs } from '../../mutate.ts'
import { requirement } from '../section.ts'

/** How many connections hold an unfinished body: more than the threads of usual pools, fewer than usual limits of connections. */
const HELD = 20

/** What other senders must not hold up. */
export const heldUp = requirement(
  'A receiver SHOULD accept a valid delivery while other connections hold unfinished bodies.',
  {
    impact:
      'Unless a proxy in front reads each request entirely, anyone on the internet can stop all payments with a few connections that send nothing, or with a single one.',
    fix: 'Put a proxy in front that reads each request entirely before it passes it on, such as nginx; or use a server that does not occupy a worker until the body has arrived. Limit the time for a body.',
  },
  {
    'good-while-bodies-are-held': {
      alone: true,
      send: (kit) => {
        const unfinished = sentAs('a body that never ends', () => ({ kind: 'truncated', after: 1 }))
        const held = Array.from({ length: HELD }, () => ({
          ...unfinished({ ...kit.delivery('completed'), signature: [] }, kit),
          role: 'context' as const,
        }))
        return whileHeld(held, kit.delivery('completed'))
      },
      expect: [acceptedMeanwhile],
      open: 'A receiver may limit the connections of one client: a delivery that is turned away proves nothing.',
    },
  },
)
