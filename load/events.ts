import { createGenerator, type Scenario } from '../fixtures/index.ts'

/** Several payment methods, so that bodies vary as real ones do. */
const SCENARIOS: readonly Scenario[] = [
  'completed-by-card',
  'completed-by-pix',
  'completed-by-crypto',
  'completed-by-gcash',
  'completed-mixed-checkout',
]

/** The events that load tests send, each of another payment (SPEC.md 8). The same seed returns the same events. */
export function loadEvents(seed: string) {
  const generator = createGenerator(seed)
  return SCENARIOS.map((scenario) => generator.event(scenario))
}

/** 64 characters that payment ids can contain, so that a random byte selects each with the same probability. */
export const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789__'
