import { inOrder, inTurn, later, onSeparateConnections, together } from '../../../engine/plan.ts'
import { anotherTime, type Delivery } from '../delivery.ts'
import { acceptedEach, acceptedOrBusy, BUSY } from '../expectations/expect.ts'
import { handled, handledOnce } from '../expectations/handled.ts'
import type { Expectation } from '../model.ts'
import { acknowledged, type Family, type SharedKit } from './family.ts'

const SECTION = 'duplicates'
/** After this time a redelivery shows that the receiver remembers a delivery for longer than a second, in milliseconds. */
const LATER_MS = 1_200

const TWICE = {
  section: SECTION,
  impact:
    'What the event stands for is done twice: a customer is billed or credited twice, or gets a second e-mail.',
  fix: 'Insert the id of the delivery under a unique key first, and handle the event only when that succeeded.',
} as const

/** At least one of the copies that arrive together is acknowledged; another may be asked to come again. */
const acknowledgedOrBusy: Expectation = {
  ...acceptedOrBusy,
  expected: { code: 'acknowledged_or_busy', statuses: BUSY },
}

/** Every probe is acknowledged, identical copies included. */
const acknowledgedEach: Expectation = { ...acceptedEach, expected: { code: 'acknowledged' } }

/** The same event again, signed a second earlier where the service signs the time: each attempt has a signature of its own. */
const again = (delivery: Delivery, kit: SharedKit) =>
  kit.redelivery(delivery, { t: anotherTime(delivery, kit.now()) })
const copies = (delivery: Delivery, count: number) => Array.from({ length: count }, () => delivery)
const asContext = (delivery: Delivery): Delivery => ({ ...delivery, role: 'context' })

/** A delivery and its redeliveries, one after another. */
export const handledOnceInTurn: Family = {
  ...TWICE,
  cases: ({ scheme }) => ({
    'delivered-once': {
      needs: 'effects',
      send: (kit) => inTurn(kit.valid()),
      expect: [acknowledged, handledOnce],
    },
    'delivered-again': {
      needs: 'effects',
      role: 'copies-in-turn',
      send: (kit) => {
        const delivery = kit.valid()
        return inTurn(...copies(delivery, 3))
      },
      expect: [acknowledgedOrBusy, handledOnce],
    },
    ...(scheme.signed.includes('time') && {
      'signed-again': {
        needs: 'effects',
        role: 'copies-in-turn',
        send: (kit) => {
          const delivery = kit.valid()
          return inTurn(delivery, again(delivery, kit))
        },
        expect: [acknowledgedOrBusy, handledOnce],
        fix: 'Recognize a redelivery by the id of the delivery alone: each attempt has another time and signature.',
      },
    }),
    'after-others': {
      needs: 'effects',
      role: 'copies-apart',
      send: (kit) => {
        const delivery = kit.valid()
        return inTurn(delivery, ...[1, 2, 3].map(() => asContext(kit.valid())), delivery)
      },
      expect: [acknowledgedOrBusy, handledOnce],
      fix: 'Remember every delivery that was handled, not only the last one.',
    },
    'after-a-second': {
      needs: 'effects',
      role: 'copies-apart',
      send: (kit) => {
        const delivery = kit.valid()
        return inOrder(inTurn(delivery), later(LATER_MS), inTurn(again(delivery, kit)))
      },
      expect: [acknowledgedOrBusy, handledOnce],
      fix: 'Remember deliveries for as long as the service may send them again, in a store that all workers share.',
    },
  }),
}

/** Copies of a delivery that arrive together: of two that look at the same moment, neither finds the other. */
export const handledOnceAtOnce: Family = {
  ...TWICE,
  fix: 'Let the database decide which copy is the first, by a unique key: between a look and an insert, another copy can come.',
  cases: () => ({
    'twice-at-once': {
      needs: 'effects',
      role: 'copies-together',
      send: (kit) => together(...copies(kit.valid(), 2)),
      expect: [acknowledgedOrBusy, handledOnce],
    },
    'ten-at-once': {
      needs: 'effects',
      role: 'copies-together',
      send: (kit) => together(...copies(kit.valid(), 10)),
      expect: [acknowledgedOrBusy, handledOnce],
    },
    'on-several-connections': {
      needs: 'effects',
      role: 'copies-apart',
      send: (kit) => {
        const sent = copies(kit.valid(), 4)
        return inOrder(onSeparateConnections(...sent), together(...sent))
      },
      expect: [acknowledgedOrBusy, handledOnce],
      fix: 'Remember deliveries in a store that all workers and machines share, not in the memory of each.',
    },
  }),
}

/** A redelivery is acknowledged like the first delivery. */
export const acknowledgedAgain: Family = {
  section: SECTION,
  impact: 'The service goes on to send the delivery, counts failures, and may disable the endpoint.',
  fix: 'Answer 2xx to a delivery that was handled before.',
  cases: ({ scheme }) => ({
    'acknowledged-again': {
      send: (kit) => {
        const delivery = kit.valid()
        return inTurn(delivery, delivery, again(delivery, kit))
      },
      // Where the service signs no time, each redelivery is an identical copy, and no cache may refuse those.
      expect: [scheme.signed.includes('time') ? acknowledged : acknowledgedEach],
    },
  }),
}

const LOST = {
  section: SECTION,
  impact: 'An event is taken for a redelivery of another one, and lost: it was acknowledged.',
} as const

/** The same kind of character, so that the key keeps its form. */
function another(character: string): string {
  const [one, other] = /[0-9]/.test(character) ? '01' : /[a-z]/.test(character) ? 'ab' : 'AB'
  return (character === one ? other : one) ?? ''
}
const changedAt = (key: string, at: number) =>
  `${key.slice(0, at)}${another(key.charAt(at))}${key.slice(at + 1)}`
const otherCapitals = (key: string) =>
  key.replace(/[a-z](?=[^a-z]*$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
/** The first character after the prefix, such as `evt_`. */
const startOf = (key: string) => key.lastIndexOf('_') + 1

/** Deliveries whose keys are nearly the same are several. */
export const similarKeys: Family = {
  ...LOST,
  fix: 'Compare the entire id, exactly and case-sensitively, and store it in a column without a short limit.',
  cases: ({ dedupe }) => {
    const changes: Readonly<Record<string, (key: string) => string>> = {
      'ids-that-differ-at-the-start': (key) => changedAt(key, startOf(key)),
      // Of a UUID not in the hyphens, nor in its version and variant.
      'ids-that-differ-in-the-middle': (key) =>
        changedAt(key, ((startOf(key) + key.length) >> 1) + (dedupe.isUuid === true ? 2 : 0)),
      'ids-that-differ-at-the-end': (key) => changedAt(key, key.length - 1),
      ...(dedupe.isUuid !== true && {
        'ids-that-differ-in-capitals': otherCapitals,
        'id-that-begins-with-another': (key: string) => `${key}x`,
      }),
    }
    return Object.fromEntries(
      Object.entries(changes).map(([name, change]) => [
        name,
        {
          needs: 'effects' as const,
          send: (kit: SharedKit) => {
            const delivery = kit.valid()
            return inTurn(delivery, kit.keyed(change(delivery.key ?? '')))
          },
          expect: [handled],
        },
      ]),
    )
  },
}

/** The same content under two keys is two events. */
export const sameContent: Family = {
  ...LOST,
  fix: 'Recognize a redelivery by its id, not by its content.',
  cases: () => ({
    'same-content-under-another-id': {
      needs: 'effects',
      send: (kit: SharedKit) => {
        const [delivery, { key }] = [kit.valid(), kit.valid()]
        return inTurn(delivery, kit.body(delivery.body, { ...delivery, key }))
      },
      expect: [handled],
    },
  }),
}
