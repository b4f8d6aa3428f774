import type { CaseId } from '../../conformance/contracts/payment-service/cases/index.ts'

/**
 * Cases that take seconds, because they send hundreds of payments or wait. They run where the whole catalogue does:
 * against the receiver of README.md, against the bundled receiver in `npm run conformance`, and against each variant and
 * each third-party receiver in `npm run proof`.
 */
export const LONG_CASES: readonly CaseId[] = [
  'duplicates/after-a-thousand-payments',
  'duplicates/after-its-signature-expired',
  'time-window/clock-advances',
  'robustness/good-while-compressed-bodies-expand',
  'duplicates/nothing-happens-twice-later',
  'effects/refund-after-a-thousand-payments',
  'effects/refund-long-before-completion',
]
