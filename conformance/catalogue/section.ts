import type { Case, Section } from '../model.ts'

/** Declares the cases of one section of SPEC.md. A name that is given twice does not compile. */
export function section<const Id extends string, const Name extends string>(
  id: Id,
  title: string,
  cases: Readonly<Record<Name, Case>>,
): Section<Id, Name> {
  return { id, title, cases }
}
