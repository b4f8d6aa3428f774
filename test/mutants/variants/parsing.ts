import { CORRECT, type Event, Problem } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

const isJson = (body: Buffer) => {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
    return true
  } catch {
    return false
  }
}
/** Whether a JSON object of the body has a key twice. */
function repeatsKey(body: Buffer): boolean {
  const objects: Set<string>[] = []
  for (const [token, key] of body.toString().matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') objects.push(new Set())
    else if (token === '}') objects.pop()
    else if (key !== undefined) {
      if (objects.at(-1)?.has(key) === true) return true
      objects.at(-1)?.add(key)
    }
  }
  return false
}
const refusing = (is: (event: Event) => boolean) => ({
  rejects: (event: Event) => (is(event) ? 422 : undefined),
})

/** Bodies that are not JSON, forged and signed. */
const NOT_JSON = [
  'body-bytes/first-byte-altered',
  'body-bytes/last-byte-altered',
  'body-bytes/cut-short',
  'body-bytes/cut-to-nothing',
  'body-bytes/byte-order-mark-added',
  'body-bytes/replacement-characters-reversed',
  'robustness/not-json',
  'robustness/empty-body',
] as const

/** Signed JSON that is not an event. */
const NOT_EVENTS = [
  'robustness/json-null',
  'robustness/event-of-wrong-type',
  'robustness/event-of-wrong-type-has-no-effect',
  'robustness/ids-missing',
  'robustness/ids-in-arrays-have-no-effect',
] as const

/** Correct receivers that parse bodies in their own way: SPEC.md 4 and 10 leave what harms nobody. */
export const VARIANTS_PARSING: Readonly<Record<string, Variant>> = {
  // A parser in front of the verifier: express.json({ verify }), FastAPI with a typed body.
  'parses JSON before it verifies, and answers 400': {
    related: NOT_JSON,
    does: () => ({
      peek(body) {
        if (body.length > 0 && !isJson(body)) throw new Problem(400, 'not JSON')
      },
    }),
  },
  'parses JSON before it verifies, and answers 422': {
    related: NOT_JSON,
    does: () => ({
      peek(body) {
        if (!isJson(body)) throw new Problem(422, 'not JSON')
      },
    }),
  },
  'refuses repeated keys before it verifies': {
    related: ['body-bytes/key-repeated', 'body-bytes/repeated-key', 'body-bytes/payment-id-repeated'],
    does: () => ({
      peek(body) {
        if (repeatsKey(body)) throw new Problem(400, 'a key is repeated')
      },
    }),
  },
  'refuses repeated keys after it verified': {
    related: ['body-bytes/key-repeated', 'body-bytes/repeated-key', 'body-bytes/payment-id-repeated'],
    does: () => ({
      parse(body) {
        if (repeatsKey(body)) throw new Problem(422, 'a key is repeated')
        return CORRECT.parse(body)
      },
    }),
  },
  'refuses a key named __proto__': {
    does: () => ({
      parse(body) {
        if (body.includes('"__proto__"')) throw new SyntaxError('forbidden key')
        return CORRECT.parse(body)
      },
    }),
    warning: ['body-bytes/key-named-proto'],
  },
  'refuses metadata that is not text': {
    related: [
      'body-bytes/number-forms',
      'body-bytes/number-reformatted',
      'body-bytes/number-beyond-2-53',
      'robustness/nested-deeply',
    ],
    does: () =>
      refusing(({ metadata }) => Object.values(metadata ?? {}).some((value) => typeof value !== 'string')),
  },

  // Signed bodies that are not events
  'acknowledges signed JSON that is not an event, and ignores it': {
    related: NOT_EVENTS,
    does: () => ({ status: ({ code, message }) => (message === 'not an event' ? 200 : code) }),
    warning: ['robustness/not-an-event-is-refused', 'robustness/no-payment-id-is-refused'],
  },
  'acknowledges every signed body, and ignores what it cannot use': {
    related: [...NOT_EVENTS, 'robustness/not-json', 'disclosure/no-secret-after-an-unreadable-body'],
    does: () => ({ status: ({ code, message }) => (/^not (?:an event|JSON)$/.test(message) ? 200 : code) }),
    warning: [
      'robustness/not-json-is-refused',
      'robustness/not-an-event-is-refused',
      'robustness/no-payment-id-is-refused',
    ],
  },
  'answers 404 to an event without a payment id': {
    related: NOT_EVENTS,
    does: () => ({ status: ({ code, message }) => (message === 'not an event' ? 404 : code) }),
    warning: ['robustness/not-an-event-is-refused', 'robustness/no-payment-id-is-refused'],
  },
  'shows a stack trace for a signed body that it cannot use': {
    related: ['disclosure/no-trace-in-a-refusal'],
    does: () => ({
      explain: (problem) =>
        /^not (?:an event|JSON)$/.test(problem.message) ? String(problem.stack) : problem.message,
    }),
    warning: ['disclosure/no-trace-after-an-unreadable-body'],
  },
}
