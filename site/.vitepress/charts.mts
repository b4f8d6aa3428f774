import type { MarkdownRenderer } from 'vitepress'

interface Figure {
  readonly name: string
  readonly ratio: number
  readonly target: string
  readonly result: string
}

const ROW = 30
const LEFT = 350
const WIDTH = 760
/** The ratios at both ends of the axis, which is logarithmic. */
const [LEAST, MOST] = [0.1, 10]

/** Draws the ratios of docs/performance.md above their table. */
export function performanceChart(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('performance-chart', (state) => {
    const path: string = state.env.realPath ?? state.env.path ?? ''
    const at = state.tokens.findIndex(({ type }) => type === 'table_open')
    if (!path.endsWith('docs/performance.md') || at === -1) return
    const token = new state.Token('html_block', '', 0)
    token.content = chart(figuresIn(state.src))
    state.tokens.splice(at, 0, token)
  })
}

/** The figures that have a target. */
function figuresIn(page: string): Figure[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| '))
  return rows.flatMap((row) => {
    const [, figure = '', baseline = '', ratio = '', target = '', result = ''] = row
      .split('|')
      .map((cell) => cell.trim())
    if (target === '' || Number.isNaN(Number(ratio))) return []
    return [{ name: `${figure}: ${baseline}`, ratio: Number(ratio), target, result }]
  })
}

function chart(figures: readonly Figure[]): string {
  const height = figures.length * ROW + 30
  const bars = figures.map(({ name, ratio, target, result }, index) => {
    const y = index * ROW + 24
    const [from, to] = [Math.min(x(ratio), x(1)), Math.max(x(ratio), x(1))]
    const short = name.length > 58 ? `${name.slice(0, 57)}…` : name
    const label = `${ratio.toFixed(2)} (target ${target.replace(/ \(.*/, '')}, ${result})`
    const end = to + 6 > WIDTH - 150 ? [from - 6, 'end'] : [to + 6, 'start']
    return `<text x="0" y="${y + 12}">${escaped(short)}</text><rect class="${result}" x="${from}" y="${y}" width="${Math.max(2, to - from)}" height="16"/><text x="${end[0]}" y="${y + 12}" text-anchor="${end[1]}">${escaped(label)}</text>`
  })
  const axis = `<line x1="${x(1)}" x2="${x(1)}" y1="16" y2="${height}"/><text x="${x(1)}" y="11" text-anchor="middle">as the baseline</text>`
  return `<div class="chart-box" tabindex="0" role="group" aria-label="Chart of the figures that have a target"><svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Ratio of each figure to its baseline; the table below has the same numbers">${axis}${bars.join('')}</svg></div>\n`
}

const x = (ratio: number): number =>
  Math.round(
    LEFT +
      20 +
      ((Math.log(ratio) - Math.log(LEAST)) / (Math.log(MOST) - Math.log(LEAST))) * (WIDTH - LEFT - 40),
  )

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{{', '{ {')
