import { inTurn, together } from '../../../engine/plan.ts'
import { handled, notHandled } from '../expectations/handled.ts'
import { digitAltered, forged, header, type Mutation, signedAt } from '../mutate.ts'
import { acknowledged, type Family, type FamilyTerms, type SharedKit } from './family.ts'

const SECTION = 'effects'
const DAY_SECONDS = 86_400

/** What a receiver must refuse, by the name of its case. */
function refusedOf({ scheme }: FamilyTerms): Readonly<Record<string, Mutation>> {
  return {
    unsigned: header('no signature header', () => []),
    forged,
    altered: digitAltered,
    ...(scheme.signed.includes('time') && {
      stale: signedAt('signed a day ago', (now) => now - DAY_SECONDS),
    }),
  }
}

/** What is refused has no effect, whatever the answer says. */
export const refusedNotHandled: Family = {
  section: SECTION,
  impact: 'Anyone on the internet can have an event handled that never happened.',
  fix: 'Verify the signature and the time first, and return before anything is handled or put into a queue.',
  cases: (terms) =>
    Object.fromEntries(
      Object.entries(refusedOf(terms)).map(([name, mutation]) => [
        `${name}-not-handled`,
        {
          needs: 'effects' as const,
          send: (kit: SharedKit) => inTurn(mutation(kit.valid(), kit)),
          expect: [notHandled],
          ...(name === 'stale' && {
            impact: 'Anyone who recorded a delivery can have its event handled at any later time.',
          }),
        },
      ]),
    ),
}

/** What is refused does not count as seen. */
export const notSuppressed: Family = {
  section: SECTION,
  impact: 'A delivery is lost when a refused one had its id: anyone who knows an id can suppress its event.',
  fix: 'Remember a delivery as seen only after you have verified its signature and time.',
  cases: (terms) =>
    Object.fromEntries(
      Object.entries(refusedOf(terms)).map(([name, mutation]) => [
        `handled-after-${name}`,
        {
          needs: 'effects' as const,
          send: (kit: SharedKit) => {
            const delivery = kit.valid()
            return inTurn({ ...mutation(delivery, kit), role: 'context' as const }, delivery)
          },
          expect: [acknowledged, handled],
        },
      ]),
    ),
}

/** What was acknowledged is handled. */
export const everythingHandled: Family = {
  section: SECTION,
  impact: 'Events are lost: the service does not send again what was acknowledged.',
  fix: 'Store the delivery before you acknowledge it, handle it from the store, and retry what failed.',
  cases: ({ scheme }) => ({
    ...(scheme.signed.includes('time') && {
      'several-of-one-second': {
        needs: 'effects',
        send: (kit) => inTurn(...[2, 2, 3, 3, 4, 4].map((seconds) => kit.validAt(kit.now() - seconds))),
        expect: [handled],
        fix: 'Recognize a delivery by its id, not by its time.',
      },
    }),
    'several-in-turn': {
      needs: 'effects',
      send: (kit) => inTurn(...several(kit)),
      expect: [handled],
    },
    'several-at-once': {
      needs: 'effects',
      send: (kit) => together(...several(kit)),
      expect: [handled],
      fix: 'Give each request variables of its own, and store every delivery before you acknowledge it.',
    },
  }),
}

const several = (kit: SharedKit) => Array.from({ length: 8 }, () => kit.valid())
