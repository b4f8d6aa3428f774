import type { Variant } from '../mutant.ts'

/** Correct receivers behind servers and networks that are not ideal. */
export const VARIANTS_WIRE: Readonly<Record<string, Variant>> = {
  'closes connections after 15 ms of silence': { does: () => ({}), setting: { idleMs: 15 } },
  'ends each connection after its answer, unannounced': { does: () => ({}), setting: { idleMs: 0 } },
  'has a Date header 10 s ahead of its clock': { does: () => ({}), setting: { dateAheadSeconds: 10 } },
  'has a Date header 10 s behind its clock': { does: () => ({}), setting: { dateAheadSeconds: -10 } },
  'has a Date header a minute ahead of its clock': { does: () => ({}), setting: { dateAheadSeconds: 60 } },
  'has a Date header a minute behind its clock': { does: () => ({}), setting: { dateAheadSeconds: -60 } },
  'starts when the first delivery arrives, in 4.6 s': {
    does: () => ({}),
    setting: { coldStartMs: 4_600 },
    slow: true,
  },
}
