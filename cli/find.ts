import { CATALOGUE } from '../conformance/catalogue/index.ts'
import type { CatalogueCase } from '../conformance/model.ts'
import { UsageError } from './exit.ts'

/** The case with this id, or undefined. */
export function findCase(id: string): CatalogueCase | undefined {
  return CATALOGUE.find((one) => one.id === id)
}

/** An error for a name that is not there, with those that are nearest to it. */
export function notFound(kind: string, name: string, names: readonly string[]): UsageError {
  const near = names
    .filter((other) => shared(other, name) > name.length / 2)
    .toSorted((a, b) => shared(b, name) - shared(a, name))
  const hint =
    near.length === 0 ? '`hookproof cases` lists the cases' : `did you mean ${near.slice(0, 3).join(', ')}?`
  return new UsageError(`there is no ${kind} "${name}": ${hint}`)
}

/** How many pairs of neighbouring letters two names share. */
function shared(left: string, right: string): number {
  const pairs = (text: string) =>
    new Set(Array.from(text.slice(1), (letter, index) => `${text[index]}${letter}`))
  const other = pairs(right)
  return [...pairs(left)].filter((pair) => other.has(pair)).length
}
