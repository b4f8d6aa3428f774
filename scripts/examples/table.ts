import type { Example } from './example.ts'
import type { Grade } from './grade.ts'

const BEGIN = '<!-- examples -->\n'
const END = '<!-- /examples -->'
const HEAD = [
  '| stack | language | lines | packages | store | result | acknowledged in |',
  '| --- | --- | --- | --- | --- | --- | --- |',
].join('\n')

/** Writes the rows of the graded examples into the page; the others keep their result, if they have one. */
export function withRows(page: string, all: readonly Example[], grades: ReadonlyMap<Example, Grade>): string {
  const { before, rows, after } = partsOf(page)
  const graded = new Map([...grades].map(([{ name }, grade]) => [name, grade]))
  const lines = all.map((example) => {
    const grade = graded.get(example.name)
    const current = rows.get(example.name)
    const measured = grade === undefined ? current?.slice(-2) : measuredOf(grade)
    return `| ${[...describedOf(example), ...(measured ?? ['not graded', ''])].join(' | ')} |`
  })
  return `${before}${BEGIN}${HEAD}\n${lines.join('\n')}\n${after}`
}

/** What is out of date in the page, one entry for each example. Times differ between machines and are not compared. */
export function outdatedRows(
  page: string,
  all: readonly Example[],
  grades: ReadonlyMap<Example, Grade>,
): string[] {
  const { rows } = partsOf(page)
  const graded = new Map([...grades].map(([{ name }, grade]) => [name, grade]))
  const known = new Set(all.map(({ name }) => name))
  const removed = [...rows.keys()].filter((name) => !known.has(name)).map((name) => `${name} does not exist`)
  const changed = all.flatMap((example) => {
    const row = rows.get(example.name)
    if (row === undefined) return [`${example.name} is missing`]
    const grade = graded.get(example.name)
    const expected = [...describedOf(example), grade === undefined ? row.at(-2) : measuredOf(grade)[0]]
    const differing = expected.filter((cell, index) => cell !== row[index])
    return differing.length === 0 ? [] : [`${example.name}: ${differing.join(', ')}`]
  })
  return [...removed, ...changed]
}

/** The cells that follow from the files of an example. */
function describedOf({ title, name, language, file, lines, packages, store, durable }: Example): string[] {
  const versions = Object.entries(packages).map((entry) => entry.join(' '))
  const link = `[${title}](../examples/${name}/${file})`
  return [
    link,
    language,
    String(lines),
    versions.join(', ') || 'none',
    durable ? store : `${store}, not durable`,
  ]
}

function measuredOf({ faults, result, acknowledgmentMs }: Grade): [result: string, time: string] {
  return [faults.length === 0 ? result.replace(/,.*/, '') : result, `${acknowledgmentMs.toFixed(1)} ms`]
}

/** The text around the table, and the cells of each example's row. */
function partsOf(page: string): { before: string; rows: Map<string, string[]>; after: string } {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (from === -1 || to < from) throw new Error(`the page lacks the markers ${BEGIN.trim()} and ${END}`)
  const lines = page.slice(from, to).split('\n')
  const rows = new Map<string, string[]>()
  for (const line of lines) {
    const name = /\]\(\.\.\/examples\/([^/]+)\//.exec(line)?.[1]
    if (name !== undefined)
      rows.set(
        name,
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
  }
  return { before: page.slice(0, from), rows, after: page.slice(to) }
}
