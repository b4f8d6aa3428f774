import type { Variant } from './mutant.ts'

/** Correct receivers behind servers and networks that are not ideal. */
export const VARIANTS_WIRE: Readonly<Record<string, Variant>> = {
  'closes connections after 15 ms of silence': { does: () => ({}), setting: { idleMs: 15 } },
  'ends each connection after its answer, unannounced': { does: () => ({}), setting: { idleMs: 0 } },
}
