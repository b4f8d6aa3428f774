import { nearest, suggestion } from '../../conformance/contracts/nearest.ts'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase } from '../../conformance/contracts/webhook/model.ts'
import { UsageError } from './exit.ts'
import type { Io } from './io.ts'

/** The case with this id, or undefined. */
export function findCase(name: string): CatalogueCase | undefined {
  return CATALOGUE.find(({ id }) => id === name)
}

/** Prints one line on standard error about something that the user should change. */
export function printNotice({ stderr }: Io, notice: string): void {
  stderr.write(`hookproof: ${notice}\n`)
}

/** The error for an unknown name; it suggests the names that start with it, then similar ones. */
export function notFound(kind: string, name: string, names: readonly string[]): UsageError {
  const sameStart = names.filter((other) => startsWith(other, name.toLowerCase()))
  const suggestions = [...new Set([...sameStart, ...nearest(name, names)])].slice(0, 3)
  return new UsageError(
    `there is no ${kind} "${name}": ${suggestion(suggestions, '`hookproof cases` lists the cases')}`,
  )
}

/** The name of a case may be given without its section. */
function startsWith(id: string, start: string): boolean {
  return [id, id.slice(id.indexOf('/') + 1)].some((part) => part.startsWith(start))
}
