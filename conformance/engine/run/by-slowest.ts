import { createKit, type KitOptions } from '../../contracts/payment-service/kit.ts'
import type { CatalogueCase } from '../../contracts/payment-service/model.ts'

/** Sorts cases for a slow receiver: those with the most answers to wait for decide how long the run takes. */
export function bySlowest(cases: readonly CatalogueCase[], options: KitOptions): readonly CatalogueCase[] {
  const turns = new Map(cases.map((testCase) => [testCase, turnsOf(testCase, options)]))
  return cases.toSorted((a, b) => (turns.get(b) ?? 0) - (turns.get(a) ?? 0))
}

/** How many answers a case waits for, one after another. */
function turnsOf({ id, send, needs }: CatalogueCase, options: KitOptions): number {
  const atOnce: readonly string[] = ['together', 'pipelined', 'in-any-order']
  return send(createKit(id, options)).reduce(
    (sum, { how, deliveries }) => sum + (atOnce.includes(how) ? 1 : deliveries.length),
    needs === 'effects' ? 1 : 0,
  )
}
