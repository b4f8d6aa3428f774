// Judges the report of a Stryker run: which mutants no test tells, and which explanations no longer explain one.

/** The part of Stryker's JSON report (mutation-testing-elements schema) that is judged. */
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

/** Why a mutant that no test kills is right to live. It is found by its text, so that it may move within the file. */
export interface Explanation {
  readonly file: string
  readonly mutator: string
  /** The line that the mutant changes, trimmed; of several lines the first and the last, with ` ... ` between. */
  readonly before: string
  /** The same with the change made. */
  readonly after: string
  /** Set when the change makes a loop that never ends: it explains a mutant that timed out, and no other. */
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

/** What a run amounts to: it is good when there is no problem. */
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
 * Judges a report against the explanations. Only a mutant that failed a test is killed; any other, be it one that timed
 * out or was left out, must have an explanation of its own. An explanation must name such a mutant and say why.
 * @param files the files that were to be mutated; one of which the report has no mutant is a problem.
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
        (one) => !used.has(one) && one.file === file && explains(one, source, mutant),
      )
      if (found === undefined) {
        problems.push(`${file}:${mutant.location.start.line}: ${told(source, mutant)}`)
      } else {
        used.add(found)
        explained++
      }
    }
    const killed = mutants.length - alive.length
    return { file, mutants: mutants.length, killed, explained, survive: alive.length - explained }
  })

  for (const one of explanations) {
    const name = `${one.file}: the explanation of ${one.mutator}: ${one.before} -> ${one.after}`
    if (!used.has(one)) problems.push(`${name}: is stale: such a mutant is killed or gone. Remove it.`)
    if ((one.reason ?? '').trim() === '') problems.push(`${name}: gives no reason. Add one.`)
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

function told(source: string, mutant: Mutant): string {
  const { before, after } = textsOf(source, mutant)
  const why = STATUS_IN_WORDS[mutant.status] ?? `it was not tried (${mutant.status})`
  return `${why}: ${mutant.mutatorName}: ${before} -> ${after}`
}

/** The lines that a mutant changes, as they are and as it makes them, each in one line. */
function textsOf(source: string, { location: { start, end }, replacement }: Mutant) {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const head = (lines.at(0) ?? '').slice(0, start.column - 1)
  const tail = (lines.at(-1) ?? '').slice(end.column - 1)
  return { before: inOneLine(lines.join('\n')), after: inOneLine(head + replacement + tail) }
}

function inOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return (lines.length > 1 ? [lines.at(0), '...', lines.at(-1)] : lines).join(' ')
}
