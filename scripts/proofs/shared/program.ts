import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { endAll } from './receiver.ts'

/** What the command line asks of a proof. */
export interface Asked {
  /** For a short run. */
  readonly quick: boolean
  /** The number given, in the proof's own unit: kills, inputs, repetitions, minutes. */
  readonly amount: number | undefined
  readonly seed: string
  /** The folder of the built receiver. */
  readonly dist: string
  /** The part to run, or all. */
  readonly only: string | undefined
}

export interface Result {
  /** What was counted or measured, one line each. */
  readonly figures: readonly (readonly [name: string, value: string])[]
  /** Each promise that did not hold, in a line. */
  readonly broken: readonly string[]
}

const PAGE = 'docs/proofs.md'

/**
 * Runs a proof as a program: figures on standard output, broken promises on standard error, exit code 1 if there are
 * any and 2 if the proof could not be made. With `--write` the figures of a proof that holds go to docs/proofs.md.
 */
export async function prove(name: string, run: (asked: Asked) => Promise<Result>): Promise<void> {
  try {
    const { write, ...asked } = readArguments()
    say(`proof:${name}, seed ${asked.seed}`)
    const { figures, broken } = await run(asked)
    const width = Math.max(...figures.map(([name]) => name.length)) + 2
    for (const [name, value] of figures) say(name.padEnd(width) + value)
    for (const promise of broken.slice(0, 20)) logFailure(promise)
    if (broken.length > 20) logFailure(`and ${broken.length - 20} more`)
    if (broken.length > 0) {
      logFailure(`proof:${name} FAILED; make it again with --seed ${asked.seed}`)
      process.exitCode = 1
    } else {
      say(`proof:${name} holds`)
      if (write) await writeFigures(name, figures)
    }
  } catch (error) {
    logFailure(`proof:${name}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 2
  } finally {
    endAll()
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const logFailure = (line: string): void => void process.stderr.write(`${line}\n`)

function readArguments(): Asked & { write: boolean } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      dist: { type: 'string', default: 'dist' },
      only: { type: 'string' },
      minutes: { type: 'string' },
    },
  })
  const { quick, write, seed, only, minutes } = values
  const number = positionals[0] ?? minutes
  const amount = number === undefined ? undefined : Number(number)
  if (amount !== undefined && !(amount > 0)) throw new Error(`${number}: give a number above 0`)
  const dist = resolve(values.dist)
  if (!existsSync(`${dist}/server/server.js`)) {
    throw new Error(`${values.dist} holds no built receiver. Run npm run build.`)
  }
  return { quick, write, seed, only, dist, amount }
}

/** Replaces the table between the marks of this proof. */
async function writeFigures(name: string, figures: Result['figures']): Promise<void> {
  const [begin, end] = [`<!-- proof:${name} -->`, `<!-- /proof:${name} -->`]
  const page = await readFile(PAGE, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${PAGE} has no marks ${begin} and ${end}`)
  const rows = figures.map(([name, value]) => `| ${name} | ${value.replaceAll('|', '\\|')} |`)
  const table = ['| figure | value |', '| --- | --- |', ...rows].join('\n')
  await writeFile(PAGE, `${page.slice(0, from)}${begin}\n${table}\n${page.slice(to)}`)
}

/** `12,345` */
export const inThousands = (count: number): string => count.toLocaleString('en-GB')
