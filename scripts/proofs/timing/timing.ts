// Measures whether the time of a refusal reveals the position of the first wrong byte of a signature.
// npm run proof -- timing [repetitions] [--quick] [--seed <text>] [--write]
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createVerifier } from '../../../receiver/verify.ts'
import { formatCount, median } from '../../shared/numbers.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { prove } from '../shared/prove.ts'
import { choose, type Random, randomFrom, shuffle } from '../shared/random.ts'
import { type Comparison, welch } from '../shared/statistics.ts'

type VerifierModule = { readonly createVerifier: typeof createVerifier }
type Check = ReturnType<typeof createVerifier>

const SECRET = 'whsec_of_the_timing'
const NOW = 1_750_000_000
/** A common limit for "no difference": chance alone exceeds it once in 150,000 comparisons. */
const LIMIT = 4.5
/** The share of values to keep. The slower half is dropped: the machine was busy with something else as well. */
const KEEP = 0.5
const SAMPLES = 100_000
/** How many times as many repetitions there may be. */
const MOST = 3
const WARM_UP = 20_000
/** Many different signatures, since a single one might happen to have a better place in memory than another. */
const BODIES = 500

/** The classes of wrong signatures. The last two must take as long as the first. */
const CLASSES = ['first byte wrong', 'last byte wrong', 'all bytes random'] as const
type Class = (typeof CLASSES)[number]

interface Prepared {
  readonly body: Buffer
  /** In an order of their own for each body: the collector of garbage moves what it keeps in the order of its references. */
  readonly refused: readonly { readonly kind: Class; readonly header: string }[]
}

await prove('timing', ({ dist, seed, quick, amount }) =>
  withTemporaryFolder(async (folder) => {
    // Stack traces would only add noise.
    Error.stackTraceLimit = 0
    const repetitions = amount ?? (quick ? 3 : 5)
    const random = randomFrom(seed)
    const file = join(dist, '../receiver/dist/verify.js')
    const checks = {
      'verify.ts': await checkOf(file),
      'control, early exit': await checkOf(withEarlyExit(file, folder)),
    }
    const comparisons = { 'verify.ts': [] as Pair[], 'control, early exit': [] as Pair[] }
    // A position that shows takes longer in each repetition. What the place of the signatures in memory does changes its sign.
    const worstOf = (name: keyof typeof checks, kind: keyof Pair) =>
      Math.abs(median(comparisons[name].map((pair) => pair[kind].t)))
    const controlT = () => worstOf('control, early exit', 'lastByte')
    // On a busy machine both are measured more often, until an early exit would show.
    const isEnough = (count: number) =>
      count >= MOST * repetitions || (count >= repetitions && controlT() >= LIMIT)
    let measured = 0
    for (; !isEnough(measured); measured += 1) {
      // New signatures each time: their place in memory affects how long a comparison takes.
      const prepared = Array.from({ length: BODIES }, (_, index) => prepare(index, random))
      for (const name of Object.keys(checks) as (keyof typeof checks)[]) {
        comparisons[name].push(measure(checks[name], prepared, random))
      }
    }

    const violations: string[] = []
    for (const kind of ['lastByte', 'randomBytes'] as const) {
      const worst = worstOf('verify.ts', kind)
      if (worst >= LIMIT)
        violations.push(
          `the time reveals the position of the first wrong byte (${kind}): |t| is ${worst.toFixed(1)}`,
        )
    }
    const control = controlT()
    if (control < LIMIT)
      violations.push(`the measurement is too coarse to detect an early exit: |t| is ${control.toFixed(1)}`)
    return {
      figures: [
        ['samples', `about ${formatCount(SAMPLES)} per class, ${measured} repetitions`],
        ...Object.entries(comparisons).flatMap(([name, pairs]): [string, string][] => [
          [`${name}: last byte wrong vs. first byte wrong`, format(pairs.map(({ lastByte }) => lastByte))],
          [`${name}: random vs. first byte wrong`, format(pairs.map(({ randomBytes }) => randomBytes))],
        ]),
        ['limit', `|median t| < ${LIMIT}; above it for the control`],
      ],
      violations,
    }
  }),
)

interface Pair {
  readonly lastByte: Comparison
  readonly randomBytes: Comparison
}

/** Chooses class and body of each sample at random, so that other load on the machine affects all classes alike. */
function measure(check: Check, prepared: readonly Prepared[], random: Random): Pair {
  const times: Record<Class, number[]> = {
    'first byte wrong': [],
    'last byte wrong': [],
    'all bytes random': [],
  }
  for (let sample = -WARM_UP; sample < SAMPLES * CLASSES.length; sample += 1) {
    const { body, refused } = choose(random, prepared)
    const { kind, header } = choose(random, refused)
    const nanoseconds = timeOf(check, body, header)
    if (sample >= 0) times[kind].push(nanoseconds)
  }
  const first = times['first byte wrong']
  return {
    lastByte: welch(times['last byte wrong'], first, KEEP),
    randomBytes: welch(times['all bytes random'], first, KEEP),
  }
}

/** How long the refusal of a delivery takes, in nanoseconds. */
function timeOf(check: Check, body: Buffer, header: string): number {
  const started = process.hrtime.bigint()
  try {
    check(body, header)
  } catch {
    return Number(process.hrtime.bigint() - started)
  }
  throw new Error('the verifier accepted a wrong signature')
}

function prepare(index: number, random: Random): Prepared {
  const body = Buffer.from(`{"number":${index}}`)
  const valid = createHmac('sha256', SECRET).update(`${NOW}.`).update(body).digest('hex')
  const otherThan = (digit = '0'): string => (digit === '0' ? '1' : '0')
  const randomHex = Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256))).toString('hex')
  const signatures: Record<Class, string> = {
    'first byte wrong': otherThan(valid[0]) + valid.slice(1),
    'last byte wrong': valid.slice(0, -1) + otherThan(valid.at(-1)),
    'all bytes random': randomHex,
  }
  // From bytes, so that V8 stores every header as one flat string.
  const refused = shuffle(CLASSES, random).map((kind) => ({
    kind,
    header: Buffer.from(`t=${NOW},v1=${signatures[kind]}`).toString('latin1'),
  }))
  return { body, refused }
}

async function checkOf(file: string): Promise<Check> {
  const module = (await import(pathToFileURL(file).href)) as VerifierModule
  return module.createVerifier({ secrets: SECRET, clock: () => NOW * 1000 })
}

/** A copy of the verifier with one change: its comparison stops at the first byte that differs. */
function withEarlyExit(file: string, folder: string): string {
  const source = readFileSync(file, 'utf8')
  const changed = source.replace('&& timingSafeEqual(', '&& equalWithEarlyExit(')
  if (changed === source) throw new Error(`${file} has no call of timingSafeEqual to replace`)
  const path = join(folder, 'verify.mjs')
  writeFileSync(
    path,
    `${changed}
function equalWithEarlyExit(a, b) {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false
  return true
}
`,
  )
  return path
}

function format(comparisons: readonly Comparison[]): string {
  const ts = comparisons.map(({ t }) => t.toFixed(1)).join(', ')
  const difference = median(comparisons.map(({ difference }) => difference))
  return `t ${ts}; median difference ${difference.toFixed(1)} ns`
}
