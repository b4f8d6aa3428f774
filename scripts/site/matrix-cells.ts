import { SECTIONS } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CaseResults, Results } from '../shared/results.ts'

/**
 * The cells of the built matrix that differ from the results, one line each.
 *
 * @param titles the name of a receiver in the results, by the text of its row
 */
export function wrongCells(html: string, results: Results, titles: ReadonlyMap<string, string>): string[] {
  const rows = tableRows(html)
  return Object.entries(results).flatMap(([name, result]) => {
    const shown = rows.filter(({ title }) => titles.get(title) === name)
    const [row] = shown
    if (row === undefined || shown.length > 1) return [`${name}: has ${shown.length} rows in the matrix`]
    return SECTIONS.flatMap(({ id, title }) => {
      const [expected, cell] = [expectedCell(id, result), row.cells.get(title) ?? '']
      return cell === expected ? [] : [`${name}: shows “${cell}” for ${title}, expected “${expected}”`]
    })
  })
}

function expectedCell(section: string, { passed, others }: CaseResults): string {
  const count = passed[section]
  if (count === undefined) return ''
  const outcomes = Object.entries(others).flatMap(([id, outcome]) =>
    id.startsWith(`${section}/`) ? outcome : [],
  )
  const mark = outcomes.length === 0 ? '' : outcomes.every((outcome) => outcome === 'warning') ? ' !' : ' ✗'
  return `${count}/${count + outcomes.length}${mark}`
}

function tableRows(html: string): { title: string; cells: Map<string, string> }[] {
  return [...html.matchAll(/<table\b[^]*?<\/table>/g)].flatMap(([table]) => {
    const [head = [], ...rows] = [...table.matchAll(/<tr\b[^]*?<\/tr>/g)].map(([row]) =>
      [...row.matchAll(/<(td|th)\b[^>]*>([^]*?)<\/\1>/g)].map(([, , cell = '']) => textOf(cell)),
    )
    return rows.map(([title = '', ...cells]) => ({
      title,
      cells: new Map(cells.map((cell, at) => [head[at + 1] ?? '', cell])),
    }))
  })
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim()
