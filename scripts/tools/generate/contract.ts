import { readFile } from 'node:fs/promises'

const REQUIREMENT =
  /^- \*\*(?<number>\d+\.\d+)\*\* (?<sentence>.+?) \*\((?<source>.+?)\)\*(?: \*Prevents: (?<harm>.+)\.\*)?$/gm
const UNTESTABLE = /^- \*\*(?<number>\d+\.\d+)\*\*: (?<reason>.+?)$/gm
const KEYWORD = /\b(MUST|SHOULD|MAY)\b/g
const LINK = /\[([^\]]+)\]\([^)]*\)/g

/** Reads SPEC.md and writes its requirements as types: a case that misquotes one does not compile. */
export async function generateContract(): Promise<Map<string, string>> {
  const text = await readFile('SPEC.md', 'utf8')
  const rows = [...text.matchAll(REQUIREMENT)].map((match) => {
    const { number = '', sentence = '', source = '', harm } = match.groups ?? {}
    const keywords = sentence.match(KEYWORD) ?? []
    if (keywords.length !== 1) {
      throw new Error(
        `SPEC.md ${number}: a requirement must have exactly one keyword, not ${keywords.length}`,
      )
    }
    if ((keywords[0] === 'MUST') !== (harm !== undefined)) {
      throw new Error(`SPEC.md ${number}: a MUST, and nothing else, states what it prevents`)
    }
    const fields = {
      number,
      level: keywords[0] ?? '',
      sentence,
      source: withoutLinks(source),
      ...(harm === undefined ? {} : { prevents: harm }),
    }
    const lines = Object.entries(fields).map(([name, value]) => `    ${name}: ${quote(value)},`)
    return `  {\n${lines.join('\n')}\n  },`
  })
  const untestable = [...text.matchAll(UNTESTABLE)].map(
    (match) => `  ${quote(match.groups?.['number'] ?? '')}: ${quote(match.groups?.['reason'] ?? '')},`,
  )
  const module = `// Generated from SPEC.md by \`npm run generate\`. Edit SPEC.md, not this file.

/** Every requirement of SPEC.md, in its order. */
export const CONTRACT = [
${rows.join('\n')}
] as const

/** The requirements that cannot be tested from outside, with the reason. */
export const UNTESTABLE = {
${untestable.join('\n')}
} as const
`
  return new Map([['conformance/contracts/payment-service/requirements/contract.generated.ts', module]])
}

/** The text of a source, in which each markdown link is reduced to its label. */
export function withoutLinks(text: string): string {
  return text.replace(LINK, '$1')
}

function quote(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`
}
