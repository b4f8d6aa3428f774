import type { IncomingMessage } from 'node:http'
import { CORRECT } from '../behavior.ts'
import type { Variant } from '../mutant.ts'
import type { Setting } from '../receiver.ts'

/** Closes the connection when more requests than this have not ended. */
const atMost = (limit: number): NonNullable<Setting['first']> => {
  let open = 0
  return (request) => {
    open += 1
    request.once('close', () => {
      open -= 1
    })
    if (open > limit) request.socket.destroy()
    return open > limit
  }
}
const isUnusual = ({ url = '', headers }: IncomingMessage): boolean =>
  !/^\/[\w/-]*(?:\?[\w=&.%-]*)?$/.test(url) ||
  /[^\w.:-]/.test(headers.host ?? '') ||
  (headers.cookie ?? headers.authorization ?? '').includes('%')

/** Correct receivers that answer unsigned and unusual requests in their own way, or not at all (SPEC.md 10.9 and 10.16). */
export const VARIANTS_OF_REQUESTS: Readonly<Record<string, Variant>> = {
  'closes the connection of an unusual request': {
    does: () => ({}),
    setting: {
      first(request) {
        if (isUnusual(request)) request.socket.destroy()
        return isUnusual(request)
      },
    },
    related: ['robustness/good-after-odd-targets', 'robustness/good-after-odd-headers'],
  },
  'answers 403 without a User-Agent': {
    does: () => ({
      gate: (request, body) =>
        request.headers['user-agent'] === undefined ? 403 : CORRECT.gate(request, body),
    }),
    related: ['robustness/good-after-odd-hosts'],
  },
  'leaves connections for an upgrade open': {
    does: () => ({}),
    setting: { upgrades: true },
    related: ['robustness/good-after-odd-protocol'],
    slow: true,
  },
  'limits unfinished requests to fifteen': {
    does: () => ({}),
    setting: { first: atMost(15) },
    untested: ['robustness/good-while-bodies-are-held'],
  },
  'works only for as long as the sender is connected': {
    does: () => ({
      async acknowledge(_, response) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        // The redelivery is then the first delivery.
        if (response.destroyed) throw new Error('canceled')
        response.writeHead(200).end()
      },
    }),
    related: ['acknowledgement/sender-gone-before-the-response'],
  },
}
