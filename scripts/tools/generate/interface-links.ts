import { readFile } from 'node:fs/promises'
import { headingsOf } from '../markdown.ts'

const INTERFACE = 'docs/interface.md'
const SECTION = String.raw`\d+(?:\.\d+)?(?!\.?\d)`
// "rule 4" names one rule, so a number after "rule 4, and" is a section; "rules 3 and 6" names two rules.
const RULES = String.raw`,?\srule\s\d+|,?\srules\s\d+(?:(?:,\s|\sand\s|\sto\s)\d+(?!\.\d))*`
const CITATION = new RegExp(
  String.raw`\binterface\s${SECTION}(?:${RULES}|,?\sand\s${SECTION}|,\s${SECTION})*`,
  'gi',
)
const PART = new RegExp(String.raw`(?<rules>${RULES})|(?<word>interface\s)?(?<number>${SECTION})`, 'gi')
const LINK = new RegExp(String.raw`\[([^\]]+)\]\(${INTERFACE}#[^)]*\)`, 'g')

/**
 * Links every citation of the interface in SPEC.md to its section in docs/interface.md.
 * "Interface 4.8 and 6, rule 5" becomes two links, since each section number is linked separately.
 */
export async function generateInterfaceLinks(): Promise<Map<string, string>> {
  const spec = await readFile('SPEC.md', 'utf8')
  return new Map([['SPEC.md', linkCitations(spec, await readFile(INTERFACE, 'utf8'))]])
}

/**
 * Does the work of {@link generateInterfaceLinks} on text. Links that are already there are made again, so the result
 * follows a heading that was renamed, and a second call changes nothing.
 *
 * @throws if the interface has no section of a cited number
 */
export function linkCitations(spec: string, interfacePage: string): string {
  const anchors = sectionAnchors(interfacePage)
  const link = (text: string, number: string): string => {
    const anchor = anchors.get(number)
    if (anchor === undefined)
      throw new Error(`SPEC.md cites Interface ${number}, but ${INTERFACE} has no such section`)
    return `[${text}](${INTERFACE}#${anchor})`
  }
  return unlinkCitations(spec).replace(CITATION, (citation) =>
    citation.replace(PART, (text, rules: string | undefined, _word: string | undefined, number: string) =>
      rules === undefined ? link(text, number) : rules,
    ),
  )
}

/** Turns links to sections of the interface back into plain text. */
export function unlinkCitations(text: string): string {
  return text.replace(LINK, '$1')
}

/** The anchor of each numbered section: "5.3" leads to "53-webhook-signatures". */
function sectionAnchors(interfacePage: string): Map<string, string> {
  return new Map(
    headingsOf(interfacePage).flatMap(({ text, anchor }) => {
      const [number] = /^\d+(?:\.\d+)?/.exec(text) ?? []
      return number === undefined ? [] : [[number, anchor]]
    }),
  )
}
