import { inTurn, onOneConnection } from '../../../engine/plan.ts'
import { asControl } from '../delivery.ts'
import { answeredInTime, refusedWithin } from '../expectations/expect.ts'
import { forged, headers, method, nameCase, sentAs } from '../mutate.ts'
import { mutated, mutatedThenControl } from '../plans.ts'
import { acknowledged, type Family, type SharedKit } from './family.ts'
import { UNUSUAL_REQUESTS } from './unusual-requests.ts'

const SECTION = 'transport'

/** A valid delivery, as the service sends it. */
export const valid: Family = {
  section: SECTION,
  impact: 'The receiver gets none of the events.',
  fix: 'Check the path, the method, the signing secret and the name of the signature header.',
  cases: () => ({ valid: { send: (kit) => inTurn(kit.valid()), expect: [acknowledged] } }),
}

/** Valid deliveries as HTTP clients and proxies may pass them on. */
export const passedOn: Family = {
  section: SECTION,
  impact: 'Events are refused when a proxy or an HTTP client writes the request in another way.',
  fix: 'Read the entire body as bytes, whatever its framing, and look up headers regardless of capitals.',
  cases: () => ({
    'content-type-with-charset': {
      send: mutated(headers('a charset parameter', [['Content-Type', 'application/json; charset=utf-8']])),
      expect: [acknowledged],
    },
    'header-names-in-lower-case': { send: mutated(nameCase('lower')), expect: [acknowledged] },
    'header-names-in-upper-case': { send: mutated(nameCase('upper')), expect: [acknowledged] },
    'body-in-chunks': {
      send: (kit) => {
        const delivery = kit.noted('Zoë paid 5 € 🎁')
        const inside = ['ë', '€', '🎁'].map((character) => delivery.body.indexOf(character) + 1)
        const chunked = sentAs('chunks that end inside characters', () => ({ kind: 'chunked', cuts: inside }))
        return inTurn(chunked(delivery, kit))
      },
      expect: [acknowledged],
    },
    'body-that-drips': {
      send: mutated(
        sentAs('a body that takes 150 ms to arrive', () => ({ kind: 'drip', pieces: 4, gapMs: 50 })),
      ),
      expect: [acknowledged],
    },
    'several-on-one-connection': {
      send: (kit) => onOneConnection(kit.valid(), kit.valid(), kit.valid()),
      expect: [acknowledged],
    },
    'valid-after-refused-on-one-connection': {
      send: (kit: SharedKit) =>
        onOneConnection(
          asControl(kit.valid()),
          { ...forged(kit.valid(), kit), role: 'context' },
          kit.valid(),
          asControl(kit.valid()),
        ),
      expect: [acknowledged],
      about: ['rejected', 'server-error', 'no-response'],
    },
  }),
}

/** Methods by which no service sends. */
export const otherMethods: Family = {
  section: SECTION,
  impact: 'The endpoint acts on requests with methods that the service never uses.',
  fix: 'Accept only POST.',
  cases: () =>
    Object.fromEntries(
      ['PUT', 'PATCH', 'DELETE'].map((name) => [
        `method-${name.toLowerCase()}`,
        { send: mutatedThenControl(method(name)), expect: [refusedWithin(400, 499, 501)] },
      ]),
    ),
}

/** Every kind of event is acknowledged, also one that the receiver does not know. */
export const everyEvent: Family = {
  section: 'acknowledgement',
  impact: 'The service reports a failure and sends the event again, or disables the endpoint.',
  fix: 'Answer 2xx to every validly signed event, and act on those that you know.',
  cases: ({ samples }) =>
    Object.fromEntries(
      samples.map((name) => [
        `event-${name}`,
        { send: (kit: SharedKit) => inTurn(kit.sample(name)), expect: [acknowledged] },
      ]),
    ),
}

/** A response in the time that the service waits. */
export const inTime: Family = {
  section: 'acknowledgement',
  impact: 'The service gives up, counts a failure, and sends the event again.',
  fix: 'Store the event, answer, and do the work afterwards.',
  cases: () => ({
    'answered-in-time': {
      alone: true,
      send: (kit) => inTurn(kit.valid(), kit.valid(), kit.valid()),
      expect: [acknowledged, answeredInTime],
    },
  }),
}

/** Unsigned requests that end or block servers. */
export const survives: Family = {
  section: 'robustness',
  impact: 'Anyone on the internet can take the receiver down for everyone with one unsigned request.',
  fix: 'Catch every error of the request’s path, headers and body, and answer 4xx.',
  cases: () => ({
    ...UNUSUAL_REQUESTS,
    'alive-at-the-end': {
      role: 'liveness',
      alone: true,
      send: (kit) => inTurn(kit.valid(), kit.valid()),
      expect: [acknowledged],
    },
  }),
}
