import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take a minute or more, longest first: one that starts last keeps a single worker busy at the end. */
const LONGEST = [
  'docs/blocks',
  'conformance/texts',
  'crash/hostile',
  'docs/frameworks',
  'engine/wire/hostile',
  'action/action',
  'adapters/conformance',
]

/** Starts the longest files first, then the largest; without results of an earlier run, Vitest does not know the former. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.includes(`/${name}.`))
      return rank < 0 ? LONGEST.length : rank
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of Vitest
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
