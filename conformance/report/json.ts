import type { ConformanceReport } from '../../schemas/types.ts'
import { printableJson } from './text.ts'

/** The report as JSON, valid under schemas/report.json, and safe to print. */
export function renderJson(report: ConformanceReport): string {
  return `${printableJson(JSON.stringify(report, null, 2))}\n`
}
