/**
 * Ends of ids that are equal, whatever comes before and after them, to a CRC-32, to Adler-32, to hash functions that multiply
 * by 31, 33 or 65,599, and to a sum of characters. All differ in more than capitals (SPEC.md 7.9).
 */
const LINEAR = [
  ['apdnpbv', '8u1o4ys'],
  ['000abba', '000baab'],
  ['00000Aa', '00000BB'],
  ['00001Ab', '00001BA'],
  ['7tg2vt4', '7s0h0qc'],
  ['00002ab', '00002ba'],
] as const
/** Their length. */
const END = 7

/** A hash function that adds one byte after another by XOR. Whatever follows two equal states leaves them equal. */
interface XorHash {
  readonly start: number
  readonly before: (state: number) => number
  readonly after: (state: number) => number
}
const same = (state: number) => state
const timesFnv = (state: number) => Math.imul(state, 0x01000193)
const FNV_1A: XorHash = { start: 0x811c9dc5, before: same, after: timesFnv }
const FNV_1: XorHash = { start: 0x811c9dc5, before: timesFnv, after: same }
const DJB2: XorHash = { start: 5_381, before: (state) => Math.imul(state, 33), after: same }

/** What receivers put between an event and an id before they hash both. */
const BETWEEN = ['', ':', '|', '/', '.', '-', '_', ' ', '\0']
const EVENT = 'payment.completed'
/** What is hashed before an id: nothing, whatever follows the id, or the event. */
const HASHED: readonly (readonly [hash: XorHash, before: readonly string[]])[] = [
  [FNV_1A, ['', ...BETWEEN.map((between) => `${EVENT}${between}`)]],
  [FNV_1, ['', `${EVENT}:`]],
  [DJB2, ['', `${EVENT}:`]],
]

const absorb = ({ before, after }: XorHash, state: number, text: string) =>
  Array.from(text).reduce((hash, letter) => after(before(hash) ^ code(letter)), state)

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')
const code = (letter: string) => letter.charCodeAt(0)
/** Two letters that differ in exactly these of their last five bits. */
const lettersApart = (bits: number): readonly [string, string] => {
  const one = LETTERS.find((letter) => LETTERS.includes(String.fromCharCode(code(letter) ^ bits))) ?? ''
  return [one, String.fromCharCode(code(one) ^ bits)]
}

const CODES = Array.from(`${LETTERS.join('')}0123456789`, code)
const CANDIDATES = CODES.length ** (END - 2)
/** Neighbors differ in many places: those that differ in one place alone would hardly ever be alike. */
const spread = (n: number) => (n * 7_919_017) % CANDIDATES
const candidate = (n: number) =>
  Array.from({ length: END - 2 }, (_, at) => Math.floor(spread(n) / CODES.length ** at) % CODES.length)
    .map((digit) => String.fromCharCode(CODES[digit] ?? 0))
    .join('')

/**
 * Two ends of equal hash behind a text. Among some ten thousand states two are alike but for their last five bits, and a
 * letter at the end makes up for those.
 */
function endsAfter(hash: XorHash, text: string, first: string): readonly [string, string] {
  const { before, after } = hash
  const start = absorb(hash, hash.start, `${text}${first}`)
  const seen = new Map<number, number>()
  for (let n = 0; ; n += 1) {
    let state = start
    // That of `candidate(n)`, whose text need not be made.
    for (let at = 0, left = spread(n); at < END - 2; at += 1) {
      state = after(before(state) ^ (CODES[left % CODES.length] ?? 0))
      left = Math.floor(left / CODES.length)
    }
    const bits = before(state) >>> 5
    const other = seen.get(bits)
    if (other !== undefined) {
      const [end, otherEnd] = [candidate(n), candidate(other)]
      const [one, two] = lettersApart((before(absorb(hash, start, otherEnd)) ^ before(state)) & 31)
      return [`${first}${otherEnd}${one}`, `${first}${end}${two}`]
    }
    seen.set(bits, n)
  }
}

const rotated = (bits: number, by: number) => (bits << by) | (bits >>> (32 - by))
/** What MurmurHash3 adds to its state for four bytes, and which four bytes add it. */
const mixed = (block: number) => Math.imul(rotated(Math.imul(block, 0xcc9e2d51), 15), 0x1b873593)
const unmixed = (bits: number) => Math.imul(rotated(Math.imul(bits, 0x56ed309b), 17), 0xdee13bb1)
const round = (state: number, block: number) =>
  (Math.imul(rotated(state ^ mixed(block), 13), 5) + 0xe6546b64) | 0
const BLOCK = 4
const blockAt = (text: string, at: number) => Buffer.from(text).readInt32LE(at)

/** The same for MurmurHash3 with the seed 0: the second block of the other id is computed, until it is letters and digits. */
function murmurIds(text: string, id: string): readonly [string, string] {
  const whole = `${text}${id}`
  const from = (whole.length - 2 * BLOCK) & -BLOCK
  let start = 0
  for (let at = 0; at < from; at += BLOCK) start = round(start, blockAt(whole, at))
  const changed = (blocks: string) =>
    `${whole.slice(text.length, from)}${blocks}${whole.slice(from + blocks.length)}`
  const [first, second] = ['0000', 'aaaa']
  const wanted = round(start, blockAt(first, 0)) ^ mixed(blockAt(second, 0))
  const other = Buffer.alloc(2 * BLOCK)
  for (let n = 1; ; n += 1) {
    other.write(n.toString(36).padStart(BLOCK, '0'))
    other.writeInt32LE(unmixed(round(start, other.readInt32LE(0)) ^ wanted), BLOCK)
    const blocks = other.toString('latin1')
    if (/^[a-z\d]+$/.test(blocks)) return [changed(`${first}${second}`), changed(blocks)]
  }
}

let latest: { readonly id: string; readonly ids: readonly string[] } | undefined

/** Ids that differ from this one at their end, two of the same 32-bit hash each time (SPEC.md 7.8). */
export function idsOfTheSameHash(id: string): readonly string[] {
  // A case that waits to be sent is planned again every few seconds.
  if (latest?.id === id) return latest.ids
  const beginning = id.slice(0, -END)
  const found = HASHED.flatMap(([hash, before]) =>
    before.map((text) => [hash, `${text}${beginning}`] as const),
  )
  // No two ends are the same: each pair begins with another letter.
  const ends = found.map(([hash, text], n) => endsAfter(hash, text, LETTERS.at(-1 - n) ?? ''))
  const ids = [
    ...[...LINEAR, ...ends].flat().map((end) => `${beginning}${end}`),
    ...['', `${EVENT}:`].flatMap((text) => murmurIds(text, id)),
  ]
  latest = { id, ids }
  return ids
}
