// Judges the report of a Stryker run: which mutants survive all tests, and which explanations are stale.

/** The parts of Stryker's JSON report (mutation-testing-elements schema) that are judged. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

interface Mutant {
  readonly mutatorName: string
  readonly replacement: string
  /** Lines and columns count from 1; the end is the first column after the mutant. */
  readonly location: { readonly start: Place; readonly end: Place }
  readonly status: string
}

interface Place {
  readonly line: number
  readonly column: number
}

/** Why a surviving mutant is harmless. It is identified by its text, so that it may move within the file. */
export interface Explanation {
  readonly file: string
  readonly mutator: string
  /** The changed line, trimmed; of several lines the first and the last, with ` ... ` between them. */
  readonly before: string
  /** The same line after the change. */
  readonly after: string
  /** Set if the change makes an infinite loop: then it explains only a mutant that timed out. */
  readonly endless?: true
  readonly reason?: string
}

/** The figures of one file. */
export interface Row {
  readonly file: string
  readonly mutants: number
  readonly killed: number
  readonly explained: number
  readonly survive: number
}

/** The result of a run; it passes if there are no problems. */
export interface Judgement {
  readonly rows: readonly Row[]
  /** One line each. */
  readonly problems: readonly string[]
}

const STATUS_IN_WORDS: Readonly<Record<string, string>> = {
  Survived: 'no test fails',
  NoCoverage: 'no test runs it',
  Timeout: 'the tests did not end in time',
}

/**
 * Judges a report. A mutant is killed only if a test failed; every other mutant, including one that timed out or was
 * skipped, needs a separate explanation. An explanation must match such a mutant and give a reason.
 * @param files the files to mutate; a file without a mutant in the report is a problem
 */
export function judge(
  report: MutationReport,
  explanations: readonly Explanation[],
  files: readonly string[],
): Judgement {
  const problems: string[] = []
  const used = new Set<Explanation>()

  const rows = files.map((file): Row => {
    const { source = '', mutants = [] } = report.files[file] ?? {}
    if (mutants.length === 0) problems.push(`${file}: has no mutants in the report; is the name right?`)
    const alive = mutants.filter(({ status }) => status !== 'Killed')
    let explained = 0
    for (const mutant of alive) {
      const found = explanations.find(
        (explanation) =>
          !used.has(explanation) && explanation.file === file && explains(explanation, source, mutant),
      )
      if (found === undefined) {
        problems.push(`${file}:${mutant.location.start.line}: ${describe(source, mutant)}`)
      } else {
        used.add(found)
        explained++
      }
    }
    const killed = mutants.length - alive.length
    return { file, mutants: mutants.length, killed, explained, survive: alive.length - explained }
  })

  for (const explanation of explanations) {
    const { file, mutator, before, after, reason = '' } = explanation
    const name = `${file}: the explanation of ${mutator}: ${before} -> ${after}`
    if (!used.has(explanation))
      problems.push(`${name}: is stale: such a mutant is killed or gone. Remove it.`)
    if (reason.trim() === '') problems.push(`${name}: gives no reason. Add one.`)
  }
  return { rows, problems }
}

function explains(explanation: Explanation, source: string, mutant: Mutant): boolean {
  const { before, after } = textsOf(source, mutant)
  return (
    explanation.mutator === mutant.mutatorName &&
    explanation.before === before &&
    explanation.after === after &&
    (explanation.endless === true) === (mutant.status === 'Timeout')
  )
}

function describe(source: string, mutant: Mutant): string {
  const { before, after } = textsOf(source, mutant)
  const why = STATUS_IN_WORDS[mutant.status] ?? `it was not tried (${mutant.status})`
  return `${why}: ${mutant.mutatorName}: ${before} -> ${after}`
}

/** The lines that a mutant changes, before and after the change, each joined to one line. */
function textsOf(source: string, { location: { start, end }, replacement }: Mutant) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const head = (lines.at(0) ?? '').slice(0, start.column - 1)
  const tail = (lines.at(-1) ?? '').slice(end.column - 1)
  return { before: joinLines(lines.join('\n')), after: joinLines(head + replacement + tail) }
}

function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return (lines.length > 1 ? [lines.at(0), '...', lines.at(-1)] : lines).join(' ')
}
