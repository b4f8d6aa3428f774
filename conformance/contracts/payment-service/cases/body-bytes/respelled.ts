import { inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../delivery.ts'
import { refused } from '../../expectations/expect.ts'
import type { Kit } from '../../kit.ts'
import type { Plan } from '../../model.ts'
import { bodyText } from '../../mutate.ts'
import { requirement } from '../section.ts'

/** Changes a note in the metadata after signing: each entry is a change, the signed text and the text that is sent. */
const noteChanged =
  (...changes: readonly (readonly [change: string, from: string, to: string])[]) =>
  (kit: Kit): Plan => {
    const probes = changes.map(([change, from, to]) =>
      bodyText(change, `"${from}"`, `"${to}"`)(kit.delivery('completed', { metadata: { note: from } }), kit),
    )
    return inTurn(...probes, asControl(kit.delivery('completed')))
  }

/** Bodies whose text was respelled after signing, in a way that a lenient comparison does not see. */
export const respelled = requirement(
  'A receiver MUST refuse a body in which letters changed case or spaces inside strings were changed after signing, with status 401.',
  {
    impact:
      'An attacker can change names, ids and codes in transit, because the receiver verifies a normalized text instead of the bytes it received.',
    fix: 'Verify the raw bytes: do not trim, collapse or convert the body before the signature is checked.',
  },
  {
    'letters-changed-case': {
      send: (kit) => {
        // To a receiver that converts the body first, this is the signed one.
        const delivery = kit.delivery('completed')
        const { signature } = kit.redelivery(delivery, {
          body: Buffer.from(delivery.body.toString().toLowerCase()),
        })
        return [
          ...inTurn({ ...delivery, signature, change: 'capital letters in a body signed in lowercase' }),
          ...noteChanged(['a capital letter in the metadata', 'gold', 'Gold'])(kit),
        ]
      },
      expect: [refused(401)],
    },
    'spaces-in-strings-changed': {
      send: noteChanged(
        ['a space doubled inside a string', 'two words', 'two  words'],
        ['a space added inside a string', 'halfway', 'half way'],
        ['a space added at the end of a string', 'order', 'order '],
      ),
      expect: [refused(401)],
    },
  },
)
