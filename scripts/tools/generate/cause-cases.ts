import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { CAUSE_CODES } from '../../../conformance/diagnosis/statement.ts'
import { MUTANTS } from '../../../test/mutants/mutants.ts'

/** More than these do not help. */
const MOST_CASES = 5

/** Writes which cases show each cause most often: those that detect the mutants with this cause. */
export function generateCauseCases(): Map<string, string> {
  const rows = CAUSE_CODES.flatMap((code) => {
    const ids = casesOf(code)
    return ids.length === 0 ? [] : [`  ${JSON.stringify(code)}: ${JSON.stringify(ids)}`]
  })
  return new Map([['conformance/diagnosis/cause-cases.json', `{\n${rows.join(',\n')}\n}\n`]])
}

function casesOf(code: (typeof CAUSE_CODES)[number]): string[] {
  const counts = new Map<string, number>()
  for (const { cause, fails } of Object.values(MUTANTS)) {
    if (cause === code) for (const id of fails) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const place = (id: string) => CATALOGUE.findIndex((testCase) => testCase.id === id)
  return [...counts]
    .toSorted(([a, one], [b, other]) => other - one || place(a) - place(b))
    .slice(0, MOST_CASES)
    .map(([id]) => id)
}
