import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from 'github-slugger'
import { paymentService } from '../../conformance/contracts/payment-service/index.ts'
import { CAUSE_CODES, type CauseCode } from '../../conformance/diagnosis/statement.ts'
import { type CauseDescription, describeCause } from '../../conformance/report/describe-cause.ts'
import { causeUrl } from '../../conformance/report/package.ts'
import { replaceMarked, tableOf } from '../shared/marked.ts'
import type { Example, Trap } from './example.ts'

/** A mistake that is made in an example. */
export interface Mistake {
  readonly example: Example
  readonly trap: Trap
  /** The code of its cause. */
  readonly cause: CauseCode
  /** The framework, and its name in addresses: that of the example, unless the trap has another one. */
  readonly framework: { readonly id: string; readonly title: string }
}

/** The mistakes that are made in the examples. @throws Error if one has an unknown cause */
export function mistakesIn(examples: readonly Example[]): Mistake[] {
  return examples.flatMap((example) =>
    (example.traps ?? []).map((trap) => {
      // A report names no cause of a warning, and all mistakes that only warn are about the content type.
      const code = trap.cause ?? 'content_type_required'
      const cause = CAUSE_CODES.find((known) => known === code)
      if (cause === undefined) throw new Error(`${example.name}: no cause is named ${code}`)
      const { framework: other } = trap
      return {
        example,
        trap,
        cause,
        framework:
          other === undefined
            ? { id: example.name, title: example.title }
            : { id: slug(other), title: other },
      }
    }),
  )
}

/** A cause as the documentation has it: in the words of the payment service, with a title. */
export interface DocumentedCause extends CauseDescription {
  /** Its sentence if it has only one, otherwise its code in words. */
  readonly title: string
}

/** Every cause that a report can name, by code. */
export function documentedCauses(): DocumentedCause[] {
  return CAUSE_CODES.map((code) => {
    const cause = describeCause(code, paymentService)
    if (cause === undefined) throw new Error(`there are no words for ${code}`)
    const [sentence = '', ...others] = cause.sentences
    return { ...cause, title: others.length === 0 ? sentence.replace(/\.$/, '') : inWords(code) }
  })
}

/** `secret_changed` as a title. */
const inWords = (code: string) => code.replaceAll('_', ' ').replace(/^[a-z](?=[a-z])/, (a) => a.toUpperCase())

/** Writes what a page lists of the causes: the symptoms of the mistakes in the examples, and each cause. */
export function withCauses(page: string, examples: readonly Example[]): string {
  const symptoms = [...groupedBy(mistakesIn(examples), ({ trap }) => trap.symptom)].flatMap(
    ([symptom, ofSymptom]) =>
      [...groupedBy(ofSymptom, ({ cause }) => cause)].map(([cause, ofCause]) => {
        const frameworks = [...new Set(ofCause.map(({ framework }) => framework.title))]
        return [symptom, `[\`${cause}\`](${causeUrl(cause)})`, frameworks.join(', ')]
      }),
  )
  const causes = documentedCauses().map(({ code, title, sentences: [first = '', ...others] }) => [
    `[\`${code}\`](${causeUrl(code)})`,
    // Of a cause with several forms, the first says more than the title.
    (others.length === 0 ? title : `For example: ${first}`.replace(/\.$/, '')).replaceAll('|', '\\|'),
  ])
  return replaceMarked(
    replaceMarked(page, 'symptoms', `\n${tableOf(['what you see', 'cause', 'seen in'], symptoms)}\n`),
    'causes',
    `\n${tableOf(['cause', 'what is wrong'], causes)}\n`,
  )
}

/** The lines that fix a mistake, as a diff: those that the trap states, or its patch the other way round. */
export const fixIn = ({ example, trap }: Mistake): string =>
  trap.fix?.join('\n') ?? fixOf(readFileSync(join(example.folder, trap.patch), 'utf8'))

/** The lines of a unified diff that make the mistake, the other way round: they fix it. */
export function fixOf(patch: string): string {
  const hunks = patch.split(/^(?:--- .*\n\+\+\+ .*\n)?@@ .*$/m).slice(1)
  const fixes = hunks.map((hunk) => {
    const lines = hunk.split('\n')
    const wrong = lines.filter((line) => line.startsWith('+')).map((line) => `-${line.slice(1)}`)
    const right = lines.filter((line) => line.startsWith('-')).map((line) => `+${line.slice(1)}`)
    return unindented([...wrong, ...right]).join('\n')
  })
  return fixes.join('\n')
}

/** Without the indentation that the lines of a hunk share; their first character stays. */
function unindented(lines: readonly string[]): string[] {
  const indents = lines.map((line) => /^.[ \t]*/.exec(line)?.[0].length ?? 1)
  const shared = Math.min(...indents)
  return lines.map((line) => `${line.charAt(0)} ${line.slice(shared)}`.trimEnd())
}

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}
