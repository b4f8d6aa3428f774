import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { betweenMarkers, replaceMarked, tableOf } from '../../shared/marked.ts'
import { killAllPrograms } from '../../shared/program.ts'
import { isProven, recordProven } from './proven.ts'
import { NotPossible } from './system.ts'

/** The options of the command line. */
export interface ProofOptions {
  /** Makes a short run. */
  readonly quick: boolean
  /** The number given, in the unit of the proof: kills, inputs, repetitions, minutes. */
  readonly amount: number | undefined
  readonly seed: string
  /** The folder of the built receiver. */
  readonly dist: string
  /** The part to run; all parts by default. */
  readonly only: string | undefined
}

export interface ProofResult {
  /** What was counted or measured, one line each. */
  readonly figures: readonly (readonly [name: string, value: string])[]
  /** Every guarantee that did not hold, one line each. */
  readonly violations: readonly string[]
}

const PAGE = 'docs/proofs.md'
const MOST_LINES = 20
/** How the figure begins of a part that this machine does not allow. */
const NOT_TESTED = 'NOT TESTED'

/**
 * Runs a proof as a program. It prints figures on standard output and violations on standard error; the exit code is 1
 * after a violation and 2 if the proof could not run. With `--write` it writes the figures of a proof that holds to
 * docs/proofs.md. With `--quick-if-proven` the run is short if nothing has changed since the proof last held entirely.
 */
export async function prove(
  name: string,
  run: (options: ProofOptions) => Promise<ProofResult>,
): Promise<void> {
  try {
    const { write, ...options } = readArguments(name)
    print(`proof ${name}, ${options.quick ? 'a short run, ' : ''}seed ${options.seed}`)
    const { figures, violations } = await run(options)
    const width = Math.max(...figures.map(([figure]) => figure.length)) + 2
    for (const [figure, value] of figures) print(figure.padEnd(width) + value)
    for (const violation of violations.slice(0, MOST_LINES)) printError(violation)
    if (violations.length > MOST_LINES) printError(`and ${violations.length - MOST_LINES} more`)
    if (violations.length > 0) {
      printError(`proof ${name} FAILED; reproduce with --seed ${options.seed}`)
      process.exitCode = 1
    } else {
      print(`proof ${name} holds`)
      if (write) await writeFigures(name, figures)
      const missing = missingRows(await readFile(PAGE, 'utf8'), name, figures)
      if (missing.length > 0) {
        printError(
          `${PAGE} is out of date: it lacks ${missing.join(', ')}. Run \`npm run proof -- ${name} --write\`.`,
        )
        process.exitCode = 1
      }
      if (isEntire(options, figures)) recordProven(name)
    }
  } catch (error) {
    printError(`proof ${name} could not run: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  } finally {
    killAllPrograms()
  }
}

/** Whether all of the proof ran. */
const isEntire = ({ quick, amount, only }: ProofOptions, figures: ProofResult['figures']): boolean =>
  !quick &&
  amount === undefined &&
  only === undefined &&
  !figures.some(([, value]) => value.startsWith(NOT_TESTED))

/** A part of a proof, which `--only` can select. */
export type Part = (options: ProofOptions) => Promise<ProofResult>

/**
 * Runs the parts of a proof one after another, as `prove` does. A part that this machine does not allow is reported as not
 * tested; in CI that is a violation.
 */
export function proveParts(name: string, parts: Readonly<Record<string, Part>>): Promise<void> {
  return prove(name, async (options) => {
    const results: ProofResult[] = []
    for (const part of chosenOf(options, Object.keys(parts)))
      results.push(await runPart(part, parts[part], options))
    return {
      figures: results.flatMap(({ figures }) => figures),
      violations: results.flatMap(({ violations }) => violations),
    }
  })
}

/** The parts to run. @throws Error if `--only` names none of them */
function chosenOf({ only }: ProofOptions, parts: readonly string[]): readonly string[] {
  if (only === undefined) return parts
  if (!parts.includes(only)) throw new Error(`--only ${only} must be one of ${parts.join(', ')}`)
  return [only]
}

async function runPart(name: string, part: Part | undefined, options: ProofOptions): Promise<ProofResult> {
  try {
    const { figures, violations } = (await part?.(options)) ?? { figures: [], violations: [] }
    return { figures, violations: violations.map((violation) => `${name}: ${violation}`) }
  } catch (error) {
    if (!(error instanceof NotPossible))
      throw new Error(`${name}: ${error instanceof Error ? error.stack : String(error)}`, { cause: error })
    return {
      figures: [[name, `${NOT_TESTED}: this machine does not allow it (${error.message})`]],
      violations: process.env['CI'] ? [`${name}: could not be tested in CI: ${error.message}`] : [],
    }
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const printError = (line: string): void => void process.stderr.write(`${line}\n`)

function readArguments(name: string): ProofOptions & { write: boolean } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      'quick-if-proven': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      dist: { type: 'string', default: 'dist' },
      only: { type: 'string' },
      minutes: { type: 'string' },
    },
  })
  const { write, seed, only, minutes } = values
  const number = positionals[0] ?? minutes
  const amount = number === undefined ? undefined : Number(number)
  if (amount !== undefined && !(amount > 0)) throw new Error(`${number} must be a number above 0`)
  const dist = resolve(values.dist)
  if (!existsSync(`${dist}/server/server.js`)) {
    throw new Error(`${values.dist} does not contain a built receiver. Run \`npm run build\`.`)
  }
  const isShort = values['quick-if-proven'] && isProven(name)
  return { quick: values.quick || isShort, write, seed, only, dist, amount: isShort ? undefined : amount }
}

/** The figures that the table of a proof lacks: it is older than they are. A name may contain a length or a version. */
export function missingRows(page: string, name: string, figures: ProofResult['figures']): string[] {
  const table = betweenMarkers(page, `proof:${name}`).replaceAll(/\d[\d.,]*/g, '#')
  return figures.flatMap(([figure]) =>
    table.includes(`| ${figure.replaceAll(/\d[\d.,]*/g, '#')} |`) ? [] : figure,
  )
}

/** Replaces the table between the markers of this proof. */
async function writeFigures(name: string, figures: ProofResult['figures']): Promise<void> {
  const rows = figures.map(([figure, value]) => [figure, value.replaceAll('|', '\\|')])
  const page = await readFile(PAGE, 'utf8')
  await writeFile(PAGE, replaceMarked(page, `proof:${name}`, tableOf(['figure', 'value'], rows)))
}
