import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { pauseAwake } from '../../../conformance/engine/time/awake.ts'
import { CORRECT, nameOf, signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** Mistakes in reading requests and writing responses (SPEC.md 1, 6 and 10). */
export const OF_WIRE: Readonly<Record<string, Mutant>> = {
  // Transport
  'takes the first chunk for the body': {
    does: { join: ([first = Buffer.alloc(0)]) => first },
    cause: 'body_not_read_to_end',
    fails: ['transport/chunked-in-two', 'transport/chunked-in-single-bytes'],
    timed: true,
  },
  'requires a Content-Length': {
    does: {
      join: (chunks, { headers }) =>
        headers['content-length'] === undefined ? Buffer.alloc(0) : Buffer.concat(chunks),
    },
    cause: 'body_not_read_to_end',
    fails: [
      'transport/chunked-in-two',
      'transport/chunked-inside-a-character',
      'transport/chunked-in-single-bytes',
    ],
    source: 'https://github.com/pallets/flask/issues/2229',
  },
  'compares the Content-Length with characters': {
    does: {
      gate(request, body) {
        const length = request.headers['content-length']
        return length === undefined || String(body).length === Number(length)
          ? CORRECT.gate(request, body)
          : 400
      },
    },
    cause: 'length_in_characters',
    fails: ['body-bytes/beyond-ascii', 'body-bytes/of-60-kib-beyond-ascii'],
  },
  'decodes each chunk separately': {
    does: { join: (chunks) => Buffer.from(chunks.map(String).join('')) },
    cause: 'body_decoded_as_text',
    fails: ['transport/chunked-inside-a-character', 'body-bytes/replacement-characters-reversed'],
    timed: true,
  },
  'gives up on a body after 100 ms': {
    does: { bodyWithinMs: 100 },
    fails: ['transport/body-that-drips'],
    timed: true,
  },
  'keeps earlier bodies of a connection': {
    does: () => ({ join: carrying() }),
    cause: 'connection_not_reset',
    fails: ['transport/several-on-one-connection', 'transport/valid-after-refused-on-one-connection'],
    timed: true,
  },
  'recognizes a content type in lowercase only': {
    does: {
      gate: (request, body) =>
        request.headers['content-type']?.startsWith('application/json') === true
          ? CORRECT.gate(request, body)
          : 415,
    },
    fails: ['transport/content-type-in-capitals', 'transport/content-type-form'],
  },
  'takes an empty body for a health check': {
    does: { gate: (request, body) => (body.length === 0 ? 200 : CORRECT.gate(request, body)) },
    fails: ['body-bytes/cut-to-nothing', 'robustness/not-json-is-refused'],
  },

  // Acknowledgment
  'answers 204': {
    does: { acknowledge: (_, response) => response.writeHead(204).end() },
    cause: 'answers_not_200',
    fails: ['acknowledgement/exactly-200', 'transport/posted-as-json', 'events/completed'],
  },
  'does the work of a refund before it answers': {
    does: {
      async acknowledge(event, response) {
        // By the clock of the suite, which stands still while an overloaded machine does not run this process.
        if (nameOf(event) === 'payment.refunded') await pauseAwake(2_300)
        response.writeHead(200).end()
      },
    },
    cause: 'slow_acknowledgment',
    fails: ['acknowledgement/in-time'],
  },
  'gives money back before it answers, one refund after another': {
    does: () => {
      let before = Promise.resolve()
      return {
        acknowledge(event, response) {
          if (nameOf(event) === 'payment.refunded') before = before.then(() => pause(250))
          return before.then(() => CORRECT.acknowledge(event, response))
        },
      }
    },
    slow: true,
    timed: true,
    cause: 'slow_acknowledgment',
    fails: ['acknowledgement/burst-of-mostly-refunds'],
  },
  'rejects more than twenty concurrent deliveries': {
    does: () => ({ acknowledge: shedding(20) }),
    fails: ['acknowledgement/burst-of-50'],
    timed: true,
  },

  // Robustness
  'crashes when a sender aborts, and is restarted': {
    does: () => {
      let upAgain = 0
      return {
        onAbort: () => void (upAgain = performance.now() + 300),
        gate: (request, body) => (performance.now() < upAgain ? 503 : CORRECT.gate(request, body)),
      }
    },
    fails: ['robustness/good-after-broken-off'],
    timed: true,
  },
  'loses one of ten workers for each sender that aborts': losingAPlace(10),
  'loses one of 64 places for each sender that aborts': losingAPlace(64),
  'loses one of 200 threads for each sender that aborts': losingAPlace(200),
  'runs out of memory at 2 MiB, and is restarted': {
    does: () => {
      let upAgain = 0
      return {
        gate(request, body) {
          if (body.length > 2 ** 21) upAgain = performance.now() + 300
          return performance.now() < upAgain ? 503 : CORRECT.gate(request, body)
        },
      }
    },
    fails: ['robustness/good-after-4-mib'],
    timed: true,
  },
  'never frees a body of 2 MiB': {
    does: () => {
      let full = false
      return {
        gate(request, body) {
          full ||= body.length > 2 ** 21
          return full ? 503 : CORRECT.gate(request, body)
        },
      }
    },
    fails: ['robustness/alive-at-the-end', 'robustness/good-after-4-mib'],
    timed: true,
  },
  'closes a connection with a second request in flight': {
    does: () => {
      const busy = new WeakMap<Socket, number>()
      const count = (socket: Socket, by: number) =>
        busy.set(socket, (busy.get(socket) ?? 0) + by).get(socket) ?? 0
      return {
        headerOf(request) {
          if (count(request.socket, 1) > 1) request.socket.destroy()
          return CORRECT.headerOf(request)
        },
        async acknowledge(_, response) {
          await pause(5)
          response.writeHead(200).end()
          if (response.socket) count(response.socket, -1)
        },
      }
    },
    fails: ['transport/pipelined'],
  },
  'crashes on a long header': {
    does: {
      gate: (request, body) => (CORRECT.headerOf(request).length > 5_000 ? 500 : CORRECT.gate(request, body)),
    },
    cause: 'error_not_caught',
    fails: ['robustness/header-of-8-kib-is-answered'],
  },
  'splits the header with a recursive function': {
    does: {
      gate: (request, body) =>
        CORRECT.headerOf(request).split(',').length > 500 ? 500 : CORRECT.gate(request, body),
    },
    fails: ['robustness/header-of-a-thousand-entries-is-answered'],
  },
  'walks through a body with a recursive function': {
    does: {
      parse(body) {
        if (body.toString().includes('['.repeat(1_000))) throw new RangeError('the stack is full')
        return JSON.parse(body.toString())
      },
    },
    fails: ['robustness/nested-deeply-is-answered'],
  },
  'crashes on a body that is not JSON': {
    does: {
      parse(body) {
        try {
          return JSON.parse(body.toString())
        } catch {
          throw new TypeError('uncaught')
        }
      },
    },
    cause: 'error_not_caught',
    fails: ['robustness/not-json', 'robustness/json-cut-short', 'robustness/empty-body'],
  },
}

/** Appends every body to the earlier ones of its connection. */
function carrying(): (chunks: readonly Buffer[], request: IncomingMessage) => Buffer {
  const kept = new WeakMap<Socket, Buffer>()
  return (chunks, { socket }) => {
    const all = signing(kept.get(socket) ?? '', ...chunks)
    kept.set(socket, all)
    return all
  }
}

function shedding(limit: number): typeof CORRECT.acknowledge {
  let running = 0
  return async (_, response) => {
    if (running >= limit) return response.writeHead(503).end()
    running += 1
    await pause(10 * running)
    running -= 1
    return response.writeHead(200).end()
  }
}

/** Counts a request that is aborted as in progress forever. */
function losingAPlace(places: number): Mutant {
  return {
    does: () => {
      let busy = 0
      return {
        headerOf(request) {
          busy += 1
          return CORRECT.headerOf(request)
        },
        join(chunks, request) {
          busy -= 1
          return CORRECT.join(chunks, request)
        },
        gate: (request, body) => (busy >= places ? 503 : CORRECT.gate(request, body)),
      }
    },
    cause: 'places_not_released',
    fails: ['robustness/good-after-many-broken-off'],
    timed: true,
  }
}
