import { between, choose, type Random } from '../shared/random.ts'

const bytesOf = (pieces: readonly string[]): Buffer[] => pieces.map((text) => Buffer.from(text))

/** Text that may confuse a parser of the signature header. */
export const HEADER_PIECES = bytesOf([...'t= v1= , = 0 - T= v0= v1 " \u00e9 0x t=0, ;'.split(' '), ' ', '\t'])

/** Text that may confuse a JSON parser. */
export const BODY_PIECES = bytesOf([
  ...'{ } [ ] " , : \\ \\u0000 \\ud800 null true 1e999 -0 __proto__ \u2028 \ufeff'.split(' '),
  ...'"event": "payment_id": "event":1, "payment_id":"", "test":true,'.split(' '),
  ' ',
  '\n',
])

/** Changes some bytes: flips, deletes, inserts, repeats or truncates. */
export function mutate(bytes: Buffer, random: Random, pieces: readonly Buffer[]): Buffer {
  let mutated = Buffer.from(bytes)
  for (let change = between(random, 1, 3); change > 0; change -= 1) {
    const at = between(random, 0, Math.max(0, mutated.length - 1))
    const end = Math.min(mutated.length, at + between(random, 1, 8))
    const [before, part, rest] = [mutated.subarray(0, at), mutated.subarray(at, end), mutated.subarray(end)]
    const inserted = random() < 0.7 ? choose(random, pieces) : Buffer.from([between(random, 0, 255)])
    const flipped = Buffer.from(part)
    flipped[0] = (flipped[0] ?? 0) ^ (1 << between(random, 0, 7))
    mutated = choose(random, [
      () => Buffer.concat([before, flipped, rest]),
      () => Buffer.concat([before, rest]),
      () => Buffer.concat([before, inserted, part, rest]),
      () => Buffer.concat([before, part, part, rest]),
      () => Buffer.from(random() < 0.1 ? before : Buffer.concat([before, inserted, rest])),
    ])()
  }
  return mutated
}
