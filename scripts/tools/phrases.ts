// Finds phrases that the documentation and the messages avoid, and prints what to write instead. Spelling and single
// words are cspell's; it knows no phrases.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const AVOIDED: ReadonlyMap<string, string> = new Map([
  ['can not', 'cannot'],
  ['for ever', 'forever'],
  ['without end', 'endlessly'],
  ['be it', 'or'],
  ['of late', 'recently'],
  ['came back', 'was received'],
  ['that which', 'what'],
  ['such as is', 'a subject and a verb'],
  ['all the same', 'still'],
  ['in place of', 'instead of'],
  ['for good', 'permanently'],
  ['taken up', 'resumed'],
])

export interface Finding {
  readonly line: number
  readonly phrase: string
  readonly instead: string
}

/** Finds avoided phrases in a text, also where a phrase continues on the next line of a paragraph or a comment. */
export function findPhrases(text: string): Finding[] {
  return [...AVOIDED]
    .flatMap(([phrase, instead]) =>
      [...text.matchAll(patternOf(phrase))].map(({ index }) => ({
        line: text.slice(0, index).split('\n').length,
        phrase,
        instead,
      })),
    )
    .toSorted((a, b) => a.line - b.line)
}

function patternOf(phrase: string): RegExp {
  return new RegExp(String.raw`\b${phrase.replaceAll(' ', String.raw`(?: +| *\n *(?:\*|//)? *)`)}\b`, 'gi')
}

/** The documents, messages and code of the repository; generated events and this list itself are left out. */
function checkedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  })
  return listed
    .split('\0')
    .filter((path) => /\.(md|eta|ts|mjs|json|ya?ml)$/.test(path))
    .filter((path) => !/^(package-lock\.json|fixtures\/events\/|(test\/)?scripts\/tools\/phrases)/.test(path))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const findings = checkedFiles().flatMap((path) =>
    findPhrases(readFileSync(path, 'utf8')).map(
      ({ line, phrase, instead }) => `${path}:${line}: avoid "${phrase}"; write "${instead}"`,
    ),
  )
  if (findings.length > 0) {
    console.error(findings.join('\n'))
    process.exitCode = 1
  }
}
