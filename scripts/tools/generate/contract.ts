import { readFile } from 'node:fs/promises'

const REQUIREMENT =
  /^- \*\*(?<number>\d+\.\d+)\*\* (?<sentence>.+?) \*\((?<source>.+?)\)\*(?: \*Prevents: (?<prevents>.+)\.\*)?$/gm
const UNTESTABLE = /^- \*\*(?<number>\d+\.\d+)\*\*: (?<reason>.+?)$/gm
const KEYWORD = /\b(MUST|SHOULD|MAY)\b/g
const LINK = /\[([^\]]+)\]\([^)]*\)/g

/** Reads SPEC.md and writes its requirements as types, one on each line: a case that misquotes one does not compile. */
export async function generateContract(): Promise<Map<string, string>> {
  const text = await readFile('SPEC.md', 'utf8')
  const rows = [...text.matchAll(REQUIREMENT)].map((match) => {
    const { number = '', sentence = '', source = '', prevents } = match.groups ?? {}
    const keywords = sentence.match(KEYWORD) ?? []
    if (keywords.length !== 1) {
      throw new Error(
        `SPEC.md ${number}: a requirement must have exactly one keyword, not ${keywords.length}`,
      )
    }
    const [level] = keywords
    if ((level === 'MUST') !== (prevents !== undefined)) {
      throw new Error(`SPEC.md ${number}: a MUST, and nothing else, states what it prevents`)
    }
    return `  ${JSON.stringify({ number, level, sentence, source: withoutLinks(source), prevents })},`
  })
  const untestable = [...text.matchAll(UNTESTABLE)].map(({ groups: { number, reason } = {} }) => [
    number,
    reason,
  ])
  const module = `// Generated from SPEC.md by \`npm run generate\`. Edit SPEC.md, not this file.

/** Every requirement of SPEC.md, in its order. */
export const CONTRACT = [
${rows.join('\n')}
] as const

/** The requirements that cannot be tested from outside, with the reason. */
export const UNTESTABLE = ${JSON.stringify(Object.fromEntries(untestable), null, 2)} as const
`
  return new Map([['conformance/contracts/payment-service/requirements/contract.generated.ts', module]])
}

/** The text of a source, in which each markdown link is reduced to its label. */
export function withoutLinks(text: string): string {
  return text.replace(LINK, '$1')
}
