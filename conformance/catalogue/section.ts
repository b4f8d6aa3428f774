import type { Case, Section } from '../case/model.ts'

type Cases<Name extends string> = Readonly<Record<Name, Case>>

/** Declares some cases of a section. A name that is given twice does not compile. */
export function cases<const Name extends string>(some: Cases<Name>): Cases<Name> {
  return some
}

type NamesOf<Part> = Part extends Cases<infer Name> ? Name : never

/**
 * Declares a section of SPEC.md by its cases, in one part or in several.
 *
 * @throws Error when two parts give the same name.
 */
export function section<const Id extends string, const Parts extends readonly Cases<string>[]>(
  id: Id,
  title: string,
  ...parts: Parts
): Section<Id, NamesOf<Parts[number]>>
export function section(id: string, title: string, ...parts: readonly Cases<string>[]): Section {
  const all = parts.flatMap((part) => Object.entries(part))
  const twice = all.find(([name], index) => all.findIndex(([other]) => other === name) < index)
  if (twice !== undefined) throw new Error(`two cases are named ${id}/${twice[0]}`)
  return { id, title, cases: Object.fromEntries(all) }
}
