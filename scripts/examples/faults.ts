import type { ConformanceReport } from '../../conformance/index.ts'

/** Everything that keeps a report from being perfect, one line each: the diagnosis, then what did not pass. */
export function faultsOf({ profile, conclusion, diagnosis, verdicts }: ConformanceReport): string[] {
  const others = verdicts.filter(({ outcome }) => outcome !== 'passed')
  return [
    ...(conclusion === 'conformant' ? [] : [`${profile}: the conclusion is ${conclusion}`]),
    ...(others.length === 0 || diagnosis === null ? [] : [`${profile}: ${diagnosis}`]),
    ...others.map(({ outcome, level, case: id, problems, reason }) => {
      const received = problems[0]?.received ?? reason
      return `${outcome} (${level}): ${id}${received == null ? '' : `: ${received}`}`
    }),
  ]
}
