import type { Conclusion } from '../../../conformance/contracts/payment-service/model.ts'
import type { ConformanceReport } from '../../../conformance/index.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'

/** The exit code of each conclusion. */
export const EXIT_BY_CONCLUSION: Readonly<Record<Conclusion, ExitCode>> = {
  conformant: EXIT.ok,
  'not-conformant': EXIT.failed,
  incomplete: EXIT.incomplete,
}

/** @param isWritten whether every report could be written */
export function exitCodeOf({ conclusion }: ConformanceReport, isWritten: boolean): ExitCode {
  return isWritten ? EXIT_BY_CONCLUSION[conclusion] : EXIT.unable
}
