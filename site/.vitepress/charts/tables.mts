/** The cells of the rows of Markdown tables, without the heads and the lines below them. */
export function rowsOf(page: string): string[][] {
  const lines = page.split('\n')
  return lines
    .filter((line, at) => line.startsWith('| ') && !isRule(line) && !isRule(lines[at + 1] ?? ''))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

const isRule = (line: string): boolean => /^\| ?---/.test(line)

/** The figures that a proof wrote to its page, by their names. @throws Error if the page has none of that proof */
export function figuresOf(page: string, proof: string): [name: string, value: string][] {
  const [, table] = new RegExp(`<!-- proof:${proof} -->([^]*?)<!-- /proof:${proof} -->`).exec(page) ?? []
  if (table === undefined) throw new Error(`the page has no figures of proof:${proof}`)
  return rowsOf(table).map(([name = '', value = '']) => [name, value])
}

/** The number that a pattern captures, such as 52,196. @throws Error if the text does not match */
export function numberIn(text: string, pattern: RegExp): number {
  const [, digits] = pattern.exec(text) ?? []
  const number = Number(digits?.replaceAll(',', ''))
  if (digits === undefined || Number.isNaN(number)) throw new Error(`${pattern} finds no number in “${text}”`)
  return number
}
