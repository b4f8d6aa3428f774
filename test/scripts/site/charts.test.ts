import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Chart,
  crashChart,
  killsChart,
  latencyChart,
  memoryChart,
  performanceChart,
  render,
  timingChart,
} from '../../../site/.vitepress/charts.mts'

const docs = (page: string): string => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')
const CHARTS = { latencyChart, memoryChart, crashChart, timingChart }

describe('the charts of docs/proofs.md', () => {
  it('show each measured attack, and mark what misses its limit', () => {
    const page = `<!-- proof:attack -->
| figure | value |
| --- | --- |
| gzip bombs | 300 valid deliveries: 3 lost, p50 3 ms, p99 12 ms, max 1,000 ms; RSS 100 to 512 MiB |
|  | 16 connections at once |
| slow bodies | 300 valid deliveries: 0 lost, p50 3 ms, p99 12 ms, max 1,001 ms; RSS 100 to 513 MiB |
| control: held bodies | 300 valid deliveries: 4 lost, p50 3 ms, p99 12 ms, max 20 ms; RSS 44 to 1,046 MiB |
| afterwards | RSS 227 MiB; exit code 0 309 ms after SIGTERM |
<!-- /proof:attack -->`
    expect(latencyChart(page).bars).toEqual([
      { name: 'gzip bombs', from: 3, to: 1000, text: '3 to 1,000 ms, 3 of 300 lost', kind: 'good' },
      { name: 'slow bodies', from: 3, to: 1001, text: '3 to 1,001 ms, 0 of 300 lost', kind: 'bad' },
      { name: 'control: held bodies', from: 3, to: 20, text: '3 to 20 ms, 4 of 300 lost', kind: 'bad' },
    ])
    expect(memoryChart(page).bars.map(({ to, kind }) => [to, kind])).toEqual([
      [512, 'good'],
      [513, 'bad'],
      [1046, 'bad'],
    ])
  })

  it('add up the crashes, and mark a loss', () => {
    const lossy = docs('proofs.md').replace(/(\| SQLite: lost \|) 0/, '$1 2')
    const { bars } = crashChart(lossy)
    expect(bars.filter(({ kind }) => kind === 'bad').map(({ name }) => name)).toEqual(['kills, SQLite'])
    expect(crashChart(docs('proofs.md')).bars.every(({ kind }) => kind === 'good')).toBe(true)
  })

  it.each(Object.entries(CHARTS))('fail the build if the figures of %s are gone', (_, chart) => {
    const without = docs('proofs.md').replaceAll(/^\| .*$/gm, '')
    expect(() => render(chart(without))).toThrow(/no figure/)
    expect(() => render(chart('# Proofs\n'))).toThrow('the page has no figures of proof:')
  })
})

it('the chart of the kill matrix counts each mutant once a section', () => {
  const page = `| defect | cases that must detect it | cause | others |
| --- | --- | --- | --- |
| one | \`time-window/a\`, \`time-window/b\`, \`transport/a\` | | 0 |
| two | \`time-window/a\` | | 0 |

## MUST cases without a mutant

| three | \`transport/a\` |
`
  const { title, bars } = killsChart(page)
  expect(title).toMatch(/^2 mutants/)
  expect(bars.map(({ name, to, text }) => [name, to, text])).toEqual([
    ['time window', 2, '2 mutants, 2 cases'],
    ['transport', 1, '1 mutants, 1 cases'],
  ])
  expect(() => render(killsChart('# The kill matrix\n'))).toThrow('no figures')
})

it('the chart of the performance has the figures with a target', () => {
  const page = docs('performance.md')
  const targets = page.match(/\| (?:met|missed) \|/g) ?? []
  const { bars } = performanceChart(page)
  expect(targets.length).toBeGreaterThan(5)
  expect(bars).toHaveLength(targets.length)
  expect(() => render(performanceChart(page.replaceAll(/ \d\.\d\d \|/g, ' none |')))).toThrow('is no number')
})

it('a chart is a table with a bar in each row', () => {
  const chart: Chart = {
    title: 'A <title>',
    columns: ['name', 'value'],
    scale: { least: 1, most: 100, logarithmic: true },
    ticks: [{ at: 100, label: '100' }],
    line: 10,
    bars: [{ name: 'one', from: 1, to: 10, text: '"10"', kind: 'bad' }],
  }
  const html = render(chart)
  expect(html).toContain('aria-label="A &lt;title&gt;"')
  expect(html).toContain('<th role="rowheader" scope="row">one</th><td role="cell">&quot;10&quot;</td>')
  expect(html).toContain(
    '<i class="line" style="left:50%"></i><i class="bar bad" style="left:0%;width:50%"></i>',
  )
})
