import type { Kit } from './kit.ts'
import type { Case, CaseOfRequirement, CatalogueCase, Guidance, Level, Section } from './model.ts'

/** A requirement of a contract with the cases that test it, by name. */
export interface Requirement<Name extends string = string> {
  readonly cases: Readonly<Record<Name, Case>>
}

/**
 * Declares the cases of one requirement. A sentence that is not in the contract, or a name that is given twice, does not
 * compile.
 *
 * @param sentence the requirement, quoted from the contract
 * @param guidance what a failure means and how to fix it, for every case that does not say otherwise
 */
export type DeclareRequirement<Sentence extends string, K extends Kit> = <const Name extends string>(
  sentence: Sentence,
  guidance: Guidance,
  cases: Readonly<Record<Name, CaseOfRequirement<K>>>,
) => Requirement<Name>

/** Declares a requirement of any contract; each contract narrows it to its sentences and its kit. */
export const requirement: DeclareRequirement<string, Kit> = <const Name extends string>(
  sentence: string,
  guidance: Guidance,
  cases: Readonly<Record<Name, CaseOfRequirement>>,
) => {
  const entries = Object.entries<CaseOfRequirement>(cases).map(([name, testCase]): [string, Case] => [
    name,
    { spec: sentence, ...guidance, ...testCase },
  ])
  return { cases: Object.fromEntries(entries) as Record<Name, Case> }
}

type NamesOf<R> = R extends Requirement<infer Name> ? Name : never

/** The requirements themselves, unless two of them have a case of the same name: then a type that nothing satisfies. */
type WithoutDuplicates<
  Requirements extends readonly unknown[],
  Seen extends string = never,
> = Requirements extends readonly [infer First, ...infer Rest]
  ? [Extract<NamesOf<First>, Seen>] extends [never]
    ? readonly [First, ...WithoutDuplicates<Rest, Seen | NamesOf<First>>]
    : readonly [{ readonly 'duplicate case name': Extract<NamesOf<First>, Seen> }, ...Rest]
  : readonly []

/**
 * Declares a section of a contract by its requirements, in their order. Two cases of the same name do not compile.
 *
 * @param title the heading in the contract
 */
export function section<const Id extends string, const Requirements extends readonly Requirement[]>(
  id: Id,
  title: string,
  ...requirements: Requirements & WithoutDuplicates<Requirements>
): Section<Id, NamesOf<Requirements[number]>>
export function section(id: string, title: string, ...requirements: readonly Requirement[]): Section {
  return { id, title, cases: Object.assign({}, ...requirements.map(({ cases }) => cases)) }
}

/** The cases of a section with their places in a contract. @throws Error if one quotes a sentence that is not there */
export function casesOf(
  section: Section,
  contract: readonly { readonly number: string; readonly level: Level; readonly sentence: string }[],
): CatalogueCase[] {
  return Object.entries(section.cases).map(([name, testCase]) => {
    const requirement = contract.find(({ sentence }) => sentence === testCase.spec)
    if (requirement === undefined)
      throw new Error(`${section.id}/${name} quotes a sentence that is not in the contract`)
    const { number, level } = requirement
    return {
      ...testCase,
      ...(section.role !== undefined && { role: section.role }),
      id: `${section.id}/${name}`,
      section: section.id,
      title: name.replaceAll('-', ' '),
      number,
      level,
    }
  })
}
