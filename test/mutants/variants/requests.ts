import type { IncomingMessage } from 'node:http'
import { type Behavior, CORRECT } from '../behavior.ts'
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

/** Turns deliveries away after ten bad signatures from an address that has sent no valid delivery. */
const limiting =
  (isTurnedAway: (isOfThatAddress: boolean, sinceMs: number) => boolean) => (): Partial<Behavior> => {
    const known = new Set<string>()
    const bad = new Map<string, number>()
    let from = ''
    let since = Number.NEGATIVE_INFINITY
    return {
      gate(request, body) {
        from = request.socket.remoteAddress ?? ''
        const isOfThatAddress = !known.has(from) && (bad.get(from) ?? 0) >= 10
        if (isTurnedAway(isOfThatAddress, performance.now() - since)) return 429
        return CORRECT.gate(request, body)
      },
      status({ code }) {
        if (code === 401) bad.set(from, (bad.get(from) ?? 0) + 1)
        if (!known.has(from) && bad.get(from) === 10) since = performance.now()
        return code
      },
      acknowledge(event, response) {
        known.add(from)
        return CORRECT.acknowledge(event, response)
      },
    }
  }

/** Correct receivers that answer unsigned and unusual requests in their own way, or not at all (SPEC.md 10.9 and 10.16). */
export const VARIANTS_OF_REQUESTS: Readonly<Record<string, Variant>> = {
  'limits an address that sends nothing but bad signatures': {
    does: limiting((isOfThatAddress) => isOfThatAddress),
    related: ['robustness/good-after-bad-signatures'],
  },
  'limits everybody for 20 s after bad signatures': {
    does: limiting((_, sinceMs) => sinceMs < 20_000),
    related: ['robustness/good-after-bad-signatures'],
    slow: true,
  },
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
