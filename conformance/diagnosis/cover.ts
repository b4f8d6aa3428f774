import type { Verdict } from '../contracts/webhook/model.ts'
import type { Candidate } from './cause.ts'
import type { Symptoms } from './symptoms.ts'

/** More causes than these are a list of failures again. */
const MOST_CAUSES = 3

/** An inconclusive case says nothing about its own requirement, but needs an explanation just as much. */
export const isFailure = ({ outcome }: Verdict) => outcome === 'failed' || outcome === 'inconclusive'

/** Chooses causes one after another, each the one that explains most of what the others leave. */
export function cover(from: readonly Candidate[], { open }: Symptoms, isNarrowed: boolean): Candidate[] {
  const left = new Set(open)
  let candidates = from
  const causes = new Map<string, Candidate>()
  for (;;) {
    const fatal = candidates.filter(({ first }) => first === true)
    const best = heaviest(fatal, left) ?? heaviest(candidates, left)
    if (best === undefined) break
    const rivals = isNarrowed && best.observed !== true ? rivalsOf(best, candidates, left) : []
    if (rivals.length > 0) {
      candidates = candidates.filter((one) => one.code !== best.code && !rivals.includes(one))
      continue
    }
    const same = causes.get(best.code)
    if (same === undefined && causes.size === MOST_CAUSES) break
    for (const verdict of best.explains) left.delete(verdict)
    // Two forms of one mistake are one cause.
    causes.set(best.code, same === undefined ? best : merged(same, best))
  }
  return [...causes.values()]
}

function merged(one: Candidate, other: Candidate): Candidate {
  return {
    ...one,
    explains: new Set([...one.explains, ...other.explains]),
    evidence: new Set([...evidenceOf(one), ...evidenceOf(other)]),
  }
}

/** The verdicts that give evidence of a cause. */
export const evidenceOf = ({ evidence, explains }: Candidate): ReadonlySet<Verdict> => evidence ?? explains

/** The candidate that explains most of what is left, without what is explained already. */
function heaviest(candidates: readonly Candidate[], left: ReadonlySet<Verdict>): Candidate | undefined {
  const among = (verdicts: Iterable<Verdict>) => [...verdicts].filter((verdict) => left.has(verdict))
  let best: Candidate | undefined
  let weight = 0
  for (const candidate of candidates) {
    const proven = among(candidate.explains)
    const failures = proven.filter(isFailure).length
    const conflicts = among(candidate.conflicts ?? []).filter((verdict) => !proven.includes(verdict))
    if (failures === 0 || failures <= conflicts.length) continue
    const explains = new Set([...proven, ...among(candidate.also ?? [])])
    const all = [...explains].filter(isFailure).length
    if (all > weight) {
      best = { ...candidate, explains, evidence: new Set(proven) }
      weight = all
    }
  }
  return best
}

/** Other causes that explain the same of what is left: no delivery was sent that only one of them would answer so. */
function rivalsOf(
  best: Candidate,
  candidates: readonly Candidate[],
  left: ReadonlySet<Verdict>,
): Candidate[] {
  const explained = (candidate: Candidate) => heaviest([candidate], left)?.explains ?? new Set<Verdict>()
  const failures = (explains: ReadonlySet<Verdict>) => [...explains].filter(isFailure)
  const own = failures(best.explains)
  return candidates.filter((candidate) => {
    if (candidate.code === best.code) return false
    const others = failures(explained(candidate))
    return others.length === own.length && others.every((verdict) => best.explains.has(verdict))
  })
}
