export type { ConformanceReport } from '../schemas/types.ts'
export { type CheckOptions, check } from './check.ts'
export { CATALOGUE, type CaseId, SECTIONS } from './contracts/payment-service/cases/index.ts'
export type {
  CatalogueCase,
  Conclusion,
  Level,
  Mode,
  Outcome,
  Profile,
  Verdict,
} from './contracts/webhook/model.ts'
export { crash } from './crash/crash.ts'
export type { CrashOptions } from './crash/options.ts'
export { HarnessError, type HarnessErrorCode } from './harness-error.ts'
export { renderBadge } from './report/badge.ts'
export { diffReports, renderDiff } from './report/diff.ts'
export { grade } from './report/grade.ts'
export { renderHtml } from './report/html/html.ts'
export { renderJson } from './report/json.ts'
export { renderJunit } from './report/junit.ts'
export { renderMarkdown } from './report/markdown.ts'
export { renderTerminal } from './report/terminal/terminal.ts'
