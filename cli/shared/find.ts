import type { CatalogueCase } from '../../conformance/case/model.ts'
import { renamedNotice, resolveCaseId } from '../../conformance/catalogue/aliases.ts'
import { CATALOGUE } from '../../conformance/catalogue/index.ts'
import { UsageError } from './exit.ts'
import { nearest } from './nearest.ts'

/** The case with this id, or undefined. An old id is accepted, with a notice on standard error. */
export function findCase(id: string): CatalogueCase | undefined {
  const resolved = resolveCaseId(id)
  if (resolved?.alias !== undefined) printNotice(renamedNotice(resolved.alias, resolved.id))
  return CATALOGUE.find((testCase) => testCase.id === resolved?.id)
}

/** Prints one line on standard error about something that the user should change. */
export function printNotice(notice: string): void {
  process.stderr.write(`hookproof: ${notice}\n`)
}

/** An error for a name that is not there, with those that begin with it, or else are nearest to it. */
export function notFound(kind: string, name: string, names: readonly string[]): UsageError {
  const begun = names.filter((other) => beginsWith(other, name.toLowerCase()))
  const near = [...new Set([...begun, ...nearest(name, names)])].slice(0, 3)
  const hint = near.length === 0 ? '`hookproof cases` lists the cases' : `did you mean ${near.join(', ')}?`
  return new UsageError(`there is no ${kind} "${name}": ${hint}`)
}

/** The name of a case may be given without its section. */
function beginsWith(id: string, start: string): boolean {
  return [id, id.slice(id.indexOf('/') + 1)].some((part) => part.startsWith(start))
}
