import type { MarkdownRenderer } from 'vitepress'
import { type Chart, render } from './chart.mts'
import { killsChart } from './kill-matrix.mts'
import { performanceChart } from './performance.mts'
import { crashChart, latencyChart, memoryChart, timingChart } from './proofs.mts'

interface Place {
  readonly page: string
  /** The chart goes before the first table below this marker, or before the first table of the page. */
  readonly marker?: string
  readonly charts: readonly ((page: string) => Chart)[]
}

const PLACES: readonly Place[] = [
  { page: 'docs/performance.md', charts: [performanceChart] },
  { page: 'docs/kill-matrix.md', charts: [killsChart] },
  { page: 'docs/proofs.md', marker: '<!-- proof:attack -->', charts: [latencyChart, memoryChart] },
  { page: 'docs/proofs.md', marker: '<!-- proof:crash -->', charts: [crashChart] },
  { page: 'docs/proofs.md', marker: '<!-- proof:timing -->', charts: [timingChart] },
]

/** Draws the figures that scripts write to the docs, each above its table. @throws Error if a chart finds no place */
export function charts(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('charts', (state) => {
    const path: string = state.env.realPath ?? state.env.path ?? ''
    for (const { page, marker, charts } of PLACES) {
      if (!path.endsWith(page)) continue
      const from =
        marker === undefined ? 0 : state.tokens.findIndex(({ content }) => content.includes(marker))
      const at = state.tokens.findIndex(({ type }, index) => index >= from && type === 'table_open')
      if (from === -1 || at === -1) throw new Error(`${page} has no table below ${marker ?? 'its start'}`)
      const token = new state.Token('html_block', '', 0)
      token.content = charts.map((chart) => render(chart(state.src))).join('')
      state.tokens.splice(at, 0, token)
    }
  })
}
