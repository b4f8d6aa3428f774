import { sparseFulfilledLikeFull } from '../../expectations/conditional.ts'
import { nothingHandled } from '../../expectations/effects.ts'
import { accepted } from '../../expectations/expect.ts'
import type { CaseOfRequirement } from '../../model.ts'
import { deliver } from '../../plans.ts'

/** SPEC.md 9.1. */
export const SIMULATED_COMPLETED = {
  'simulated-and-sparse-is-fulfilled': {
    needs: 'effects',
    mode: 'test',
    send: deliver('simulated-completed', 'simulated-sparse-completed', 'simulated-sparse-completed'),
    expect: [accepted, sparseFulfilledLikeFull],
    open: 'A receiver may ignore simulated payments. Then nothing shows how it handles those with few fields.',
    impact: 'The payments of the test checkout get lost, so the merchant cannot try the shop.',
    fix: 'Read the payment id from `id` when `payment_id` is absent, and require no field that a simulated event lacks.',
  },
} satisfies Record<string, CaseOfRequirement>

/** SPEC.md 9.6. */
export const SIMULATED_FAILED = {
  'simulated-failure-is-not-credited': {
    needs: 'effects',
    mode: 'test',
    send: deliver('simulated-failed', 'simulated-sparse-failed'),
    expect: [accepted, nothingHandled],
  },
} satisfies Record<string, CaseOfRequirement>
