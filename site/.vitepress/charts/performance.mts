import type { Bar, Chart } from './chart.mts'
import { rowsOf } from './tables.mts'

/** The figures of docs/performance.md that have a target, each as the ratio to its baseline. */
export function performanceChart(page: string): Chart {
  const bars = rowsOf(page).flatMap(
    ([figure = '', baseline = '', ratio = '', target = '', result]): Bar[] => {
      if (target === '') return []
      const goal = target.replace(/ \(.*/, '')
      const text = `${ratio} (target ${goal}, ${result})`
      return [
        {
          name: `${figure} / ${baseline}`,
          from: 1,
          to: Number(ratio),
          text,
          kind: result === 'met' ? 'good' : 'bad',
        },
      ]
    },
  )
  return {
    title: 'Figures with a target, as ratios to their baselines',
    columns: ['figure / baseline', 'ratio'],
    scale: { least: 0.1, most: 10, logarithmic: true },
    ticks: [0.1, 0.3, 1, 3, 10].map((at) => ({ at, label: `${at}×` })),
    line: 1,
    bars,
  }
}
