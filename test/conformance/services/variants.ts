import { EFFECTIVE } from './effects.ts'
import type { Steps } from './receiver.ts'

/** Receivers that differ from the simplest one and are as correct. */
export const VARIANTS: Readonly<Record<string, (right: Steps) => Partial<Steps>>> = {
  ...EFFECTIVE,
  'answers 200': (right) => ({ handle: (request) => (right.handle(request) === 204 ? 200 : 400) }),
  'answers 202': (right) => ({ handle: (request) => (right.handle(request) === 204 ? 202 : 400) }),
  'acknowledges what it cannot use': () => ({ handle: () => 200 }),
  'refuses with 400': () => ({ refuse: () => ({ status: 400 }) }),
  'refuses with 403': () => ({ refuse: () => ({ status: 403 }) }),
  'refuses with 404': () => ({ refuse: () => ({ status: 404 }) }),
  'refuses with 500, as some samples do': () => ({ refuse: () => ({ status: 500 }) }),
  'refuses with a message': () => ({
    refuse: () => ({ status: 401, body: '{"error":"the signature is wrong"}' }),
  }),
  'has a tolerance of an hour': () => ({
    isFresh: (t, now) => /^[0-9]+$/.test(t) && Math.abs(now - Number(t)) <= 3600,
  }),
  'has a tolerance of a minute': () => ({
    isFresh: (t, now) => /^[0-9]+$/.test(t) && Math.abs(now - Number(t)) <= 60,
  }),
  'accepts any time ahead': () => ({ isFresh: (t, now) => now - Number.parseInt(t, 10) <= 300 }),
  'has an old secret beside the new one': (right) => ({
    keys: (secret) => [...right.keys(`whsec_${'b2xk'.repeat(8)}`), ...right.keys(secret)],
  }),
  'compares by ===': () => ({ same: (expected, given) => expected === given }),
  'refuses other content types first': (right) => ({
    before: (request) =>
      request.method === 'POST' && request.headers['content-type']?.startsWith('application/json') !== true
        ? 415
        : right.before(request),
  }),
  'answers 404 to other methods': ({ before }) => ({
    before: (request) => (request.method === 'POST' ? before(request) : 404),
  }),
  'limits bodies to 2 MiB': ({ before }) => ({
    before: (request) => (request.raw.length > 2 * 1024 * 1024 ? 413 : before(request)),
  }),
}
