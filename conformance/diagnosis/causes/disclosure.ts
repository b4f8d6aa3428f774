import type { Candidate, Recognize } from '../cause.ts'
import { type Evidence, isOpen } from '../evidence.ts'
import type { Statement } from '../statement.ts'

const STATEMENTS = {
  '11.1': {
    code: 'secret_disclosed',
    sentence: 'A response shows the signing secret',
    fix: 'Answer with a fixed message and a code; never include configuration, environment or local variables in a response, not even in an error.',
  },
  '11.2': {
    code: 'signature_disclosed',
    sentence: 'A response shows the signature that the receiver expected',
    fix: 'Answer with a fixed message and a code; keep both signatures out of the response, in any form.',
  },
} as const satisfies Record<string, Statement>

function shown(number: keyof typeof STATEMENTS, { open }: Evidence): Candidate[] {
  const problems = open
    .filter((verdict) => verdict.case.number === number && isOpen(verdict))
    .flatMap((verdict) =>
      verdict.problems.filter(({ kind }) => kind === 'disclosure').map((problem) => ({ verdict, problem })),
    )
  if (problems.length === 0) return []
  const { sentence, ...statement } = STATEMENTS[number]
  // The case that judges the entire run names the delivery.
  const [first] = problems.flatMap(({ problem: { wrong } }) =>
    wrong.code === 'disclosed_in_the_run' ? wrong.first : [],
  )
  return [
    {
      ...statement,
      sentence:
        first === undefined ? `${sentence}.` : `${sentence}: status ${first.status} (${first.delivery}).`,
      observed: true,
      explains: new Set(problems.map(({ verdict }) => verdict)),
    },
  ]
}

/** A response contains what makes valid signatures (SPEC.md 11). */
export const disclosureCauses: Recognize = (evidence) => [
  ...shown('11.1', evidence),
  ...shown('11.2', evidence),
]
