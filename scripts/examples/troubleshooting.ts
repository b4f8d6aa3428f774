import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceMarked } from '../shared/marked.ts'
import type { Example, Trap } from './example.ts'

/** What the causes mean to the author of a handler. */
export const MEANINGS: Readonly<Record<string, string>> = {
  body_reserialized:
    "The handler serializes the parsed JSON again and computes the signature over that. No library reliably writes the same bytes: most deliveries pass with `JSON.stringify`; the spaces of Python's `json.dumps` and the sorted keys of Go and Rust change nearly every body, and the escaped slashes of PHP many.",
  body_already_read:
    'Something has already read the body, so that the handler gets an empty or a parsed one.',
  body_decoded_as_text: 'The body is decoded to text before the signature is computed over it.',
  body_parsed_first:
    'The framework binds the body to a class before the handler runs, and the handler computes the signature over JSON that it serialized again.',
  body_not_read_to_end:
    'A body in chunks has no Content-Length. A handler that reads as many bytes as that header says gets an empty body.',
  no_verification:
    'The signature is not compared, or the result is ignored. In JavaScript, a Promise that is not awaited is always true.',
  wrong_secret:
    'The report cannot see more than that no signature matches: check the secret first. It looks the same if the comparison can never be true, as with a Promise that is not awaited.',
  csrf_protection:
    'The framework expects a token that the service does not send. The signature protects the route.',
  answers_not_200: 'Only 200 acknowledges a delivery, and some frameworks answer 201 or 204 by default.',
  deduplicated_per_process:
    'Each process remembers in its own memory what it handled. Use a unique key in a store that all share.',
}

interface Entry {
  readonly example: Example
  readonly trap: Trap
}

/** Writes the traps of the examples into the page: by symptom, then by cause, each with the lines that fix it. */
export function withTraps(page: string, examples: readonly Example[]): string {
  const entries = examples.flatMap((example) => (example.traps ?? []).map((trap) => ({ example, trap })))
  const sections = [...groupedBy(entries, ({ trap }) => trap.symptom)].map(([symptom, ofSymptom]) => {
    const causes = [...groupedBy(ofSymptom, ({ trap }) => trap.cause ?? '')].map(([cause, ofCause]) =>
      [headOf(cause), ...ofCause.map(entryOf)].join('\n\n'),
    )
    return `### ${symptom}\n\n${causes.join('\n\n')}`
  })
  return replaceMarked(page, 'traps', `\n${sections.join('\n\n')}\n\n`)
}

function headOf(cause: string): string {
  if (cause === '') return 'The suite fails no case for this and only warns.'
  const meaning = MEANINGS[cause]
  return `Cause \`${cause}\`${meaning === undefined ? '.' : `: ${meaning}`}`
}

function entryOf({ example, trap }: Entry): string {
  const link = `[${trap.framework ?? example.title}](../examples/${example.name}/${example.file})`
  const fix = trap.fix?.join('\n') ?? fixOf(readFileSync(join(example.folder, trap.patch), 'utf8'))
  return `${link}:\n\n\`\`\`diff\n${fix}\n\`\`\``
}

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

function groupedBy(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry])
  return groups
}
