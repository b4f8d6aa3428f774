import type { ConformanceReport } from '../../schemas/types.ts'

/** The report as JSON, valid under schemas/report.json. */
export function renderJson(report: ConformanceReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
