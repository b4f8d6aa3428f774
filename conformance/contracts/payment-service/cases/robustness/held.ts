import { gzipSync } from 'node:zlib'
import { inOrder, inTurn, whileHeld } from '../../../../engine/plan.ts'
import type { Delivery } from '../../../webhook/delivery.ts'
import { acceptedMeanwhile, acceptedWhileExpanding } from '../../../webhook/expectations/aftermath.ts'
import { sentAs } from '../../../webhook/mutate.ts'
import { fulfilledIfAcknowledged } from '../../expectations/effects.ts'
import type { Kit } from '../../kit.ts'
import { type CaseOfRequirement, requirement } from '../../section.ts'
import { FORGED } from '../signature-header/common.ts'

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

/** How many bodies arrive at the same time: no more than in the burst of SPEC.md 6.3. */
const BODIES = 49
const MEGABYTES = 100

let bomb: Buffer | undefined
/** A body that expands a thousandfold: members of one megabyte each, which make one file (RFC 1952, 2.2). */
function compressed(): Buffer {
  if (bomb === undefined) {
    const member = gzipSync(Buffer.alloc(1_000_000))
    bomb = Buffer.concat(Array.from({ length: MEGABYTES }, () => member))
  }
  return bomb
}

/** Entirely sent forgeries whose answer nobody awaits. */
function forgeries(kit: Kit, change: string, encoding: readonly (readonly [string, string])[]): Delivery[] {
  const body = compressed()
  return Array.from({ length: BODIES }, () => ({
    ...kit.body(body),
    role: 'context' as const,
    change,
    headers: [['Content-Type', 'application/json'], ...encoding],
    signature: [`t=${kit.now()},v1=${FORGED}`],
    transport: { kind: 'truncated' as const, after: body.length },
  }))
}

/** SPEC.md 10.9. */
export const EXPANDING = {
  'good-while-compressed-bodies-expand': {
    // Not in the core profile, for what it takes to send ten megabytes.
    needs: 'effects',
    alone: true,
    send: (kit) =>
      inOrder(
        whileHeld(forgeries(kit, 'a forged body of 100 KB', []), {
          ...kit.delivery('completed'),
          role: 'context',
        }),
        whileHeld(
          forgeries(kit, 'a forged body of 100 KB that expands to 100 MB', [['Content-Encoding', 'gzip']]),
          kit.delivery('completed'),
        ),
        inTurn(kit.delivery('completed')),
      ),
    expect: [acceptedWhileExpanding, fulfilledIfAcknowledged],
    open: 'Any response to the forged bodies is correct, or none: what counts are the valid deliveries beside and after them.',
    about: ['rejected', 'server-error', 'no-response', 'acknowledged-otherwise'],
    impact:
      'Anyone on the internet can take the receiver down for everyone with a few small requests that expand to gigabytes.',
    fix: 'Verify the bytes as they arrive and expand nothing before; refuse other content codings with 415, or limit the size after expansion, not only before.',
  },
} satisfies Record<string, CaseOfRequirement>
