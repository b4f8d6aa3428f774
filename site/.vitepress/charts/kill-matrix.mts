import type { Chart } from './chart.mts'
import { rowsOf } from './tables.mts'

/** How many mutants each section must detect, from docs/kill-matrix.md. */
export function killsChart(page: string): Chart {
  const [mutants = ''] = page.split('\n## MUST cases')
  const sections = new Map<string, { kills: number; cases: Set<string> }>()
  const rows = rowsOf(mutants)
  for (const [, detectedBy = ''] of rows) {
    const ids = [...detectedBy.matchAll(/`(([a-z-]+)\/[^`]+)`/g)]
    for (const section of new Set(ids.map(([, , name = '']) => name))) {
      const { kills, cases } = sections.get(section) ?? { kills: 0, cases: new Set() }
      for (const [, id = ''] of ids) if (id.startsWith(`${section}/`)) cases.add(id)
      sections.set(section, { kills: kills + 1, cases })
    }
  }
  const bars = [...sections]
    .toSorted(([, one], [, other]) => other.kills - one.kills)
    .map(([section, { kills, cases }]) => ({
      name: section.replaceAll('-', ' '),
      from: 0,
      to: kills,
      text: `${kills} mutants, ${cases.size} cases`,
      kind: 'good' as const,
    }))
  const most = Math.ceil(Math.max(1, ...bars.map(({ to }) => to)) / 20) * 20
  return {
    title: `${rows.length} mutants, by the section whose cases must detect them`,
    columns: ['section', 'must detect'],
    scale: { least: 0, most },
    ticks: [0, most / 2, most].map((at) => ({ at, label: String(at) })),
    bars,
  }
}
