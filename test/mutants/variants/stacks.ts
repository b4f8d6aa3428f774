import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { CaseId } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { CORRECT, type Effect, type Event, effect, nameOf, Problem, paymentOf, text } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

const MIB = 2 ** 20
const NO_BODY = Buffer.alloc(0)
const keyOf = (event: Event) => CORRECT.keyOf(event, NO_BODY, '')
const has = (before: readonly Effect[], what: Effect['effect']) => before.some((one) => one.effect === what)
const refusedIf = (status: number, is: (request: IncomingMessage) => boolean) => ({
  gate: (request: IncomingMessage, body: Buffer) => (is(request) ? status : CORRECT.gate(request, body)),
})
const linesOf = ({ headersDistinct }: IncomingMessage) => headersDistinct['x-service-signature'] ?? []

const pages: readonly CaseId[] = [
  'disclosure/no-secret-on-pages-of-operators',
  'disclosure/no-secret-in-any-response',
]
const races: readonly CaseId[] = [
  'duplicates/delivered-twice-at-once',
  'duplicates/delivered-20-times-at-once',
  'acknowledgement/sender-gone-before-the-response',
]
const doubleTimes: readonly CaseId[] = [
  'signature-header/t-twice-wherever-the-fresh-one-stands',
  'signature-header/two-header-lines-one-valid',
  'signature-header/two-header-lines-stale-one-signed',
]
const edges: readonly CaseId[] = [
  'time-window/clock-advances',
  'time-window/stale-although-its-t-was-accepted-before',
  'time-window/just-inside-the-past',
  'time-window/just-outside-the-future',
]

/** Correct receivers as more servers, stores and teams make them. */
export const VARIANTS_OF_STACKS: Readonly<Record<string, Variant>> = {
  // Acknowledgments
  'handles an event before it acknowledges it': {
    related: races,
    does: () => ({
      acknowledge(_, response) {
        void pause(15).then(() => response.writeHead(200).end())
      },
    }),
  },
  'commits what arrives within 25 ms together, and then acknowledges it': {
    related: [...races, 'transport/pipelined', 'acknowledgement/burst-of-50'],
    does: () => {
      let commit: Promise<void> | undefined
      return {
        async acknowledge(_, response) {
          commit ??= pause(25).finally(() => {
            commit = undefined
          })
          await commit
          response.writeHead(200).end()
        },
      }
    },
  },
  'answers 503 with Retry-After to a copy while the first one is handled': {
    related: races,
    does: () => {
      const busy = new Set<string>()
      return {
        rejects: (event) => (busy.has(keyOf(event)) ? 503 : undefined),
        refusalHeaders: { 'Retry-After': '1' },
        async acknowledge(event, response) {
          busy.add(keyOf(event))
          await pause(5)
          response.writeHead(200).end()
          busy.delete(keyOf(event))
        },
      }
    },
  },
  'closes a connection after its fifth request': {
    related: ['transport/pipelined', 'transport/several-on-one-connection'],
    does: () => {
      const served = new WeakMap<Socket, number>()
      return {
        acknowledge(_, response) {
          const { socket } = response.req
          const count = (served.get(socket) ?? 0) + 1
          served.set(socket, count)
          response.writeHead(200, count % 5 === 0 ? { Connection: 'close' } : {}).end()
        },
      }
    },
  },

  // Refusals
  'refuses a body of more than 1 MiB before it reads it': {
    related: ['robustness/good-after-4-mib'],
    does: () => ({
      beforeBody: ({ headers }) => (Number(headers['content-length'] ?? 0) > MIB ? 413 : undefined),
    }),
  },
  'refuses more than 20 header lines with 431': {
    related: ['events/headers-with-another-amount', 'time-window/stale-whatever-the-request-says'],
    does: () => refusedIf(431, ({ rawHeaders }) => rawHeaders.length > 40),
  },
  'names a scheme of authentication in its refusals': {
    related: ['refusals/another-secret', 'signature-header/absent'],
    does: () => ({ refusalHeaders: { 'WWW-Authenticate': 'Signature realm="webhooks"' } }),
  },
  'refuses with application/problem+json': {
    related: ['disclosure/no-trace-in-a-refusal', 'disclosure/no-trace-after-unusual-requests'],
    does: () => ({
      refusalHeaders: { 'Content-Type': 'application/problem+json' },
      explain: ({ code, message }) =>
        JSON.stringify({ type: 'about:blank', title: message, status: code, instance: '/webhooks' }),
    }),
  },
  'answers the preflight requests of browsers': {
    related: ['bypass/other-methods-have-no-effect', 'disclosure/no-secret-in-an-answer-to-get'],
    does: () => ({
      ...refusedIf(204, ({ method }) => method === 'OPTIONS'),
      refusalHeaders: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'POST',
        'Access-Control-Allow-Headers': '*',
      },
    }),
  },
  'redirects browsers to its documentation': {
    related: ['bypass/other-methods-have-no-effect', 'disclosure/no-secret-in-an-answer-to-get'],
    does: () => ({
      ...refusedIf(302, ({ method }) => method === 'GET' || method === 'HEAD'),
      refusalHeaders: { Location: '/docs' },
    }),
  },
  'is behind a firewall that knows the pages of operators': {
    related: pages,
    does: () => refusedIf(403, ({ url = '' }) => /\.env|actuator|debug|phpinfo|\.git/.test(url)),
  },
  'shows its configuration with a masked secret': {
    related: pages,
    does: () => ({
      ...refusedIf(200, ({ url }) => url !== '/webhooks' && url?.includes('?') === false),
      explain: ({ code, message }, { secret }) =>
        code === 200
          ? JSON.stringify({ WEBHOOK_SECRET: `${secret.slice(0, 8)}${'*'.repeat(24)}`, NODE_ENV: 'test' })
          : message,
    }),
  },
  'refuses a charset other than UTF-8 with 415': {
    related: ['bypass/content-type-with-another-charset', 'events/headers-with-another-charset'],
    does: () => refusedIf(415, ({ headers }) => /charset=(?!"?utf-8)/i.test(headers['content-type'] ?? '')),
  },
  'refuses signed bodies that are not UTF-8 with 422': {
    related: ['body-bytes/replacement-characters-reversed', 'body-bytes/undecodable-bytes-inserted'],
    does: () => ({
      parse(body) {
        try {
          return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
        } catch (error) {
          throw error instanceof TypeError ? new Problem(422, 'not UTF-8') : error
        }
      },
    }),
  },
  'refuses timestamps in other forms than that of today': {
    does: () => ({
      rejects: ({ timestamp }) =>
        timestamp === undefined || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text(timestamp))
          ? undefined
          : 422,
    }),
    warning: ['events/timestamp-in-other-forms'],
    related: ['effects/refund-with-its-timestamp-written-differently'],
  },
  'refuses an unknown type of refund': {
    related: ['acknowledgement/payments-behind-unexpected-events'],
    does: () => ({
      rejects: (event) =>
        nameOf(event) === 'payment.refunded' && !/^(?:refund|chargeback)$/.test(text(event['type']))
          ? 422
          : undefined,
    }),
    warning: ['events/unknown-kind-of-refund'],
  },

  // Signature header and clock
  'reads the last of two signature headers': {
    related: doubleTimes,
    does: () => ({ headerOf: (request) => linesOf(request).at(-1) ?? '' }),
  },
  'joins signature headers with a comma and a space': {
    related: doubleTimes,
    does: () => ({ headerOf: (request) => linesOf(request).join(', ') }),
  },
  'accepts the secret that was replaced too': {
    related: ['refusals/another-secret', 'refusals/secret-without-prefix'],
    does: () => ({ keys: (secret) => [secret, 'whsec_before-k3Qz8rVb2NwT7yLm'] }),
  },
  'keeps the time for a second': {
    related: edges,
    does: () => {
      let kept = 0
      return {
        inWindow(age) {
          const now = Date.now()
          if (now - kept >= 1_000) kept = now
          const behind = Math.floor(now / 1_000) - Math.floor(kept / 1_000)
          return Math.abs(age - behind) <= 300
        },
      }
    },
  },

  // Payments
  'recognizes a redelivery by a SHA-256 of its payment and event': {
    related: ['duplicates/ids-of-the-same-hash', 'duplicates/ids-that-differ-in-one-place'],
    does: () => ({ keyOf: (event) => createHash('sha256').update(keyOf(event)).digest('hex') }),
  },
  'handles every event twice, the second time without an effect': {
    related: ['duplicates/nothing-happens-twice-later', 'effects/refund-reverses'],
    does: () => ({
      againAfterMs: 200,
      effectOf(event, before) {
        const isRefund = nameOf(event) === 'payment.refunded'
        return has(before, isRefund ? 'reversed' : 'fulfilled') ? undefined : CORRECT.effectOf(event, before)
      },
    }),
  },
  'ships a payment whose refund came first, and takes it back at once': {
    related: [
      'effects/refund-before-completion',
      'effects/refund-seconds-before-completion',
      'effects/chargeback-before-completion',
      'effects/refund-and-completion-at-once',
    ],
    does: () => {
      const refunded = new Set<string>()
      return {
        // The work of an event may have a second effect.
        schedule(work) {
          work()
          work()
        },
        effectOf(event, before) {
          if (has(before, 'reversed')) return undefined
          if (nameOf(event) === 'payment.refunded') refunded.add(paymentOf(event))
          if (has(before, 'fulfilled'))
            return refunded.has(paymentOf(event)) ? effect(event, 'reversed') : undefined
          return nameOf(event) === 'payment.completed' ? effect(event, 'fulfilled') : undefined
        },
      }
    },
  },
  'keeps amounts with eighteen decimals': {
    related: ['effects/amounts-with-eighteen-decimals', 'effects/large-amount-to-the-last-digit'],
    does: () => ({
      effectOf(event, before) {
        const done = CORRECT.effectOf(event, before)
        const [whole = '', fraction = ''] = done?.amount.split('.') ?? []
        return done && { ...done, amount: `${whole}.${fraction.padEnd(18, '0')}` }
      },
    }),
  },
  'looks for work once a second': {
    does: () => ({}),
    setting: { batchMs: 1_000 },
    slow: true,
  },
}
