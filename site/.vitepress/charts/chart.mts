/** One row of a chart: a bar, or a range with a dot at its start. */
export interface Bar {
  readonly name: string
  readonly from: number
  readonly to: number
  /** The figures in words: what a screen reader says instead of the bar. */
  readonly text: string
  readonly kind: 'good' | 'bad'
}

export interface Chart {
  readonly title: string
  /** What the rows are, and what the figures in words are. */
  readonly columns: readonly [name: string, text: string]
  /** Both ends of the axis. A logarithmic one shows ratios and ranges, whose length is not the value. */
  readonly scale: { readonly least: number; readonly most: number; readonly logarithmic?: boolean }
  readonly ticks: readonly { readonly at: number; readonly label: string }[]
  /** A vertical line: a limit or a baseline. */
  readonly line?: number
  readonly isRange?: boolean
  readonly bars: readonly Bar[]
}

/**
 * Renders a chart as a table in which each row has a bar. So it needs no JavaScript, screen readers read the figures, and it
 * fits a phone.
 *
 * @throws Error if there is nothing to show, or a figure is no number: then the page that it reads has changed
 */
export function render({ title, columns, scale, ticks, line, isRange = false, bars }: Chart): string {
  if (bars.length === 0) throw new Error(`the chart “${title}” has no figures`)
  const x = (value: number): number => {
    if (!Number.isFinite(value)) throw new Error(`the chart “${title}” has a figure that is no number`)
    const of = (number: number) => (scale.logarithmic === true ? Math.log(number) : number)
    const share = (of(value) - of(scale.least)) / (of(scale.most) - of(scale.least))
    return Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
  }
  const mark = line === undefined ? '' : `<i class="line" style="left:${x(line)}%"></i>`
  const axis = ticks.map(({ at, label }) => {
    const position = x(at)
    const side = position > 95 ? ' class="last"' : position < 5 ? ' class="first"' : ''
    return `<i${side} style="left:${position}%">${escaped(label)}</i>`
  })
  const rows = bars.map(({ name, from, to, text, kind }) => {
    const [left, right] = [x(Math.min(from, to)), x(Math.max(from, to))]
    const width = Math.max(0.4, Math.round((right - left) * 10) / 10)
    const bar = `<i class="${isRange ? 'range' : 'bar'} ${kind}" style="left:${left}%;width:${width}%"></i>`
    return `<tr role="row"><th role="rowheader" scope="row">${escaped(name)}</th><td role="cell">${escaped(text)}</td><td role="presentation" class="plot" aria-hidden="true">${mark}${bar}</td></tr>`
  })
  const [name, text] = columns.map(escaped)
  // The roles stay when the style makes a grid of the table.
  return `<figure class="chart">
<figcaption>${escaped(title)}</figcaption>
<table role="table" aria-label="${escaped(title)}"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${name}</th><th role="columnheader" scope="col">${text}</th><td role="presentation" class="plot axis" aria-hidden="true">${axis.join('')}</td></tr></thead><tbody role="rowgroup">
${rows.join('\n')}
</tbody></table>
</figure>
`
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('{{', '{ {')
