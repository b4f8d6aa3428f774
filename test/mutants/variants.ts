import { setTimeout as pause } from 'node:timers/promises'
import { CORRECT, idOf, labeled, nameOf, Problem, paymentOf } from './behavior.ts'
import type { Variant } from './mutant.ts'
import { VARIANTS_ANSWERS } from './variants/answers.ts'
import { VARIANTS_OF_BYPASS } from './variants/bypass.ts'
import { VARIANTS_CONTRACT } from './variants/contract.ts'
import { VARIANTS_EFFECTS } from './variants/effects.ts'
import { VARIANTS_FIELD } from './variants/field.ts'
import { VARIANTS_PARSING } from './variants/parsing.ts'
import { VARIANTS_REDELIVERED } from './variants/redelivered.ts'
import { VARIANTS_OF_REQUESTS } from './variants/requests.ts'
import { VARIANTS_OF_STACKS } from './variants/stacks.ts'
import { VARIANTS_OF_STATES } from './variants/states.ts'
import { TEST_AND_LIVE, VARIANTS_UNSIGNED } from './variants/unsigned.ts'
import { VARIANTS_WIRE } from './variants/wire.ts'

/** Correct receivers, each with one freedom of the contract. None may fail a case. */
export const VARIANTS: Readonly<Record<string, Variant>> = {
  plain: { does: () => ({}) },
  ...VARIANTS_OF_STATES,
  ...VARIANTS_CONTRACT,
  ...VARIANTS_PARSING,
  ...VARIANTS_WIRE,
  ...VARIANTS_OF_REQUESTS,
  ...VARIANTS_EFFECTS,
  ...VARIANTS_REDELIVERED,
  ...VARIANTS_UNSIGNED,
  'reads only the first v1': {
    does: () => ({
      entries(header) {
        const { times, signatures } = CORRECT.entries(header)
        return { times, signatures: signatures.slice(0, 1) }
      },
    }),
    warning: ['signature-header/v1-twice-valid-one-last'],
  },
  'reads the header into a map': {
    does: () => ({
      entries(header) {
        const { times, signatures } = CORRECT.entries(header)
        return { times: times.slice(-1), signatures: signatures.slice(-1) }
      },
    }),
    warning: ['signature-header/v1-twice-valid-one-first'],
  },
  'reads the first of two signature headers': {
    does: () => ({ headerOf: ({ headersDistinct }) => headersDistinct['x-service-signature']?.[0] ?? '' }),
  },
  'refuses two signature headers and two t entries': {
    does: () => ({
      entries(header) {
        const { times, signatures } = CORRECT.entries(header)
        return { times: times.length === 1 ? times : [], signatures }
      },
    }),
  },
  'accepts uppercase digits': {
    does: () => ({
      same: (expected, given) => expected === (/^[\dA-F]+$/.test(given) ? given.toLowerCase() : given),
    }),
  },
  'answers 401 when t is malformed': {
    does: () => ({
      seconds(t) {
        if (t !== '' && !/^\d+$/.test(t)) throw new Problem(401, 't is malformed')
        return CORRECT.seconds(t)
      },
    }),
  },
  'answers 400 when a signature is malformed': {
    does: () => ({
      entries(header) {
        if (labeled(header, 'v1').some((value) => !/^[\da-f]{64}$/.test(value)))
          throw new Problem(400, 'v1 is malformed')
        return CORRECT.entries(header)
      },
    }),
  },
  'checks the signature before the window': { does: () => ({ signatureFirst: true }) },
  'accepts bodies of up to 16 MiB': {
    does: () => ({
      gate: ({ method }, body) => (method === 'POST' && body.length < 2 ** 24 ? undefined : 405),
    }),
  },
  'accepts bodies of up to 80 KiB': {
    does: () => ({ gate: (request, body) => (body.length > 80 * 1024 ? 413 : CORRECT.gate(request, body)) }),
    warning: ['body-bytes/with-100-kib-of-metadata'],
  },
  'accepts JSON content types only': {
    does: () => ({
      gate: (request, body) =>
        /^application\/json\b/i.test(request.headers['content-type'] ?? '')
          ? CORRECT.gate(request, body)
          : 415,
    }),
    warning: ['transport/content-type-missing', 'transport/content-type-text', 'transport/content-type-form'],
  },
  'answers 404 to other methods': {
    does: () => ({
      gate: (request, body) => (request.method === 'POST' ? CORRECT.gate(request, body) : 404),
    }),
  },
  'answers 501 to other methods': {
    does: () => ({
      gate: (request, body) => (request.method === 'POST' ? CORRECT.gate(request, body) : 501),
    }),
  },
  'answers 422 to a body that is not an event': {
    does: () => ({ status: ({ code, message }) => (/^not (?:an event|JSON)$/.test(message) ? 422 : code) }),
  },
  'answers 200 with JSON': {
    does: () => ({
      acknowledge: (_, response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"received":true}'),
    }),
  },
  'sends refusals without a body': { does: () => ({ explain: () => '' }) },
  'closes each connection': {
    does: () => ({
      acknowledge: (_, response) => response.writeHead(200, { Connection: 'close' }).end(),
    }),
  },
  'closes the connection after a refusal': { does: () => ({ refusalHeaders: { Connection: 'close' } }) },
  'acknowledges after 50 ms': {
    does: () => ({
      async acknowledge(_, response) {
        await pause(50)
        response.writeHead(200).end()
      },
    }),
  },
  'shows effects after 100 ms': { does: () => ({}), setting: { effectAfterMs: 100 } },
  'has a clock two minutes ahead': { does: () => ({}), setting: { aheadSeconds: 120 } },
  'has a clock two minutes behind': { does: () => ({}), setting: { aheadSeconds: -120 } },
  'records nothing for an early refund': {
    does: () => {
      const refunded = new Set<string>()
      return {
        effectOf(event, before) {
          if (nameOf(event) !== 'payment.refunded')
            return refunded.has(paymentOf(event)) ? undefined : CORRECT.effectOf(event, before)
          refunded.add(paymentOf(event))
          return before.length === 0 ? undefined : CORRECT.effectOf(event, before)
        },
      }
    },
  },
  'recognizes a refund by its payment, regardless of type': {
    does: () => ({
      keyOf: (event) => JSON.stringify([idOf(event), nameOf(event), event['amount_received']]),
    }),
  },
  'shows amounts without trailing zeros': {
    does: () => ({
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        return (
          done && {
            ...done,
            amount: done.amount.replace(/\.?0+$/, (zeros) => (zeros[0] === '.' ? '' : zeros)),
          }
        )
      },
    }),
  },
  'shows no livemode': {
    does: () => ({
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        if (done === undefined) return undefined
        const { event: name, effect, amount, currency } = done
        return { event: name, effect, amount, currency }
      },
    }),
    warning: ['effects/livemode-is-shown'],
    untested: [
      'bypass/test-payment-on-a-live-receiver',
      'bypass/test-payments-of-each-form',
      ...TEST_AND_LIVE,
    ],
  },
  'refuses an event without a name': {
    does: () => ({
      isEvent: (value): value is Readonly<Record<string, unknown>> =>
        CORRECT.isEvent(value) && typeof value['event'] === 'string',
    }),
    warning: ['events/simulated-without-event'],
  },
  ...VARIANTS_OF_BYPASS,
  ...VARIANTS_ANSWERS,
  ...VARIANTS_FIELD,
  ...VARIANTS_OF_STACKS,
}
