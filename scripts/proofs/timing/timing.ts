// Measures whether the time of a comparison tells where the first wrong byte is.
// npm run proof:timing -- [repetitions] [--quick] [--seed <text>] [--write]
import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inFolder } from '../shared/folder.ts'
import { prove } from '../shared/program.ts'
import { choose, type Random, randomFrom } from '../shared/random.ts'
import { type Comparison, welch } from './welch.ts'

type Verifier = typeof import('../../../receiver/verify.ts')
type Check = ReturnType<Verifier['createSignatureCheck']>

const SECRET = 'whsec_of_the_timing'
const NOW = 1_750_000_000
/** A usual bound for "no difference": by chance it is passed once in 150,000 comparisons. */
const BOUND = 4.5
/** Of the values, the slower half is cut: there the machine was busy with something else as well. */
const KEEP = 0.5
const SAMPLES = 100_000
const WARM_UP = 20_000
/** Different bodies, and so different signatures, in turn: one alone might lie better in memory than another. */
const BODIES = 500

/** What the wrong signatures have in common. The last two must take as long as the first. */
const CLASSES = ['first byte wrong', 'last byte wrong', 'all bytes random'] as const
type Class = (typeof CLASSES)[number]

interface Prepared {
  readonly body: Buffer
  readonly headers: Readonly<Record<Class, string>>
}

await prove('timing', ({ dist, seed, quick, amount }) =>
  inFolder(async (folder) => {
    // What a refusal costs beyond the comparison only makes the measurement coarser.
    Error.stackTraceLimit = 0
    const repetitions = amount ?? (quick ? 3 : 5)
    const random = randomFrom(seed)
    const file = join(dist, 'receiver', 'verify.js')
    const checks = {
      'verify.ts': await checkOf(file),
      'control, early exit': await checkOf(withEarlyExit(file, folder)),
    }
    const found = { 'verify.ts': [] as Pair[], 'control, early exit': [] as Pair[] }
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      // Anew each time: where they lie in memory has a part in how long they take.
      const prepared = Array.from({ length: BODIES }, (_, index) => prepare(index, random))
      for (const name of Object.keys(checks) as (keyof typeof checks)[]) {
        found[name].push(measure(checks[name], prepared, random))
      }
    }

    const broken: string[] = []
    for (const kind of ['lastByte', 'randomBytes'] as const) {
      const worst = median(found['verify.ts'].map((pair) => Math.abs(pair[kind].t)))
      if (worst >= BOUND)
        broken.push(`the time tells the place of the first wrong byte (${kind}): |t| is ${worst.toFixed(1)}`)
    }
    const seen = median(found['control, early exit'].map(({ lastByte }) => Math.abs(lastByte.t)))
    if (seen < BOUND)
      broken.push(`the measurement is too coarse to see an early exit: |t| is ${seen.toFixed(1)}`)
    return {
      figures: [
        ['samples', `about ${SAMPLES} of each class, ${repetitions} repetitions`],
        ...Object.entries(found).flatMap(([name, pairs]): [string, string][] => [
          [`${name}: last byte wrong against first`, told(pairs.map(({ lastByte }) => lastByte))],
          [`${name}: random against first`, told(pairs.map(({ randomBytes }) => randomBytes))],
        ]),
        ['bound', `median |t| < ${BOUND}, and above it for the control`],
      ],
      broken,
    }
  }),
)

interface Pair {
  readonly lastByte: Comparison
  readonly randomBytes: Comparison
}

/** Each sample of a class and a body chosen at random: whatever else the machine does, and keeps, falls on all alike. */
function measure(check: Check, prepared: readonly Prepared[], random: Random): Pair {
  const times: Record<Class, number[]> = {
    'first byte wrong': [],
    'last byte wrong': [],
    'all bytes random': [],
  }
  for (let sample = -WARM_UP; sample < SAMPLES * CLASSES.length; sample += 1) {
    const { body, headers } = choose(random, prepared)
    const kind = choose(random, CLASSES)
    const taken = timeOf(check, body, headers[kind])
    if (sample >= 0) times[kind].push(taken)
  }
  const first = times['first byte wrong']
  return {
    lastByte: welch(times['last byte wrong'], first, KEEP),
    randomBytes: welch(times['all bytes random'], first, KEEP),
  }
}

/** In nanoseconds. */
function timeOf(check: Check, body: Buffer, header: string): number {
  const begun = process.hrtime.bigint()
  try {
    check(body, header)
  } catch {
    return Number(process.hrtime.bigint() - begun)
  }
  throw new Error('a wrong signature was taken')
}

function prepare(index: number, random: Random): Prepared {
  const body = Buffer.from(`{"number":${index}}`)
  const right = createHmac('sha256', SECRET).update(`${NOW}.`).update(body).digest('hex')
  const other = (digit = '0'): string => (digit === '0' ? '1' : '0')
  const drawn = Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256))).toString('hex')
  const signatures: Record<Class, string> = {
    'first byte wrong': other(right[0]) + right.slice(1),
    'last byte wrong': right.slice(0, -1) + other(right.at(-1)),
    'all bytes random': drawn,
  }
  const headers = { ...signatures }
  const begin = Math.floor(random() * CLASSES.length)
  // Made in a different order for each body, from bytes, so that none is a text in pieces.
  for (const kind of [...CLASSES.slice(begin), ...CLASSES.slice(0, begin)]) {
    headers[kind] = Buffer.from(`t=${NOW},v1=${signatures[kind]}`).toString('latin1')
  }
  return { body, headers }
}

async function checkOf(file: string): Promise<Check> {
  const { createSignatureCheck } = (await import(pathToFileURL(file).href)) as Verifier
  return createSignatureCheck({ secrets: SECRET, clock: () => NOW * 1000 })
}

/** The same verifier with one thing changed: its comparison ends at the first byte that differs. */
function withEarlyExit(file: string, folder: string): string {
  const source = readFileSync(file, 'utf8')
  const changed = source.replace('&& timingSafeEqual(', '&& endsEarly(')
  if (changed === source) throw new Error(`${file} has no comparison that the control could change`)
  const path = join(folder, 'verify.mjs')
  writeFileSync(
    path,
    `${changed}
function endsEarly(a, b) {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false
  return true
}
`,
  )
  return path
}

function told(comparisons: readonly Comparison[]): string {
  const ts = comparisons.map(({ t }) => t.toFixed(1)).join(', ')
  const difference = median(comparisons.map(({ difference }) => difference))
  return `t ${ts}; ${difference.toFixed(1)} ns`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
