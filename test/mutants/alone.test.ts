import { expect, test } from 'vitest'
import { MUTANTS } from './mutants.ts'
import { repeatAlone } from './proof/alone.ts'
import { MUSTS, missedIn } from './proof/detected.ts'
import type { Outcomes } from './proof/grade.ts'
import type { Job } from './proof/job.ts'

const NAMES = Object.keys(MUTANTS)
const [first = '', second = ''] = NAMES
const SEEDS = [1, 4]

/** What a run shows that detects a mutant. */
const detected = (name: string): Outcomes =>
  new Map(MUTANTS[name]?.fails.map((id) => [id, MUSTS.includes(id) ? 'failed' : 'warning']))
const MISSED: Outcomes = new Map()

function everythingDetected() {
  return {
    mutants: new Map(NAMES.map((name) => [name, detected(name)])),
    seeds: new Map<string, readonly Outcomes[]>(NAMES.map((name) => [name, SEEDS.map(() => detected(name))])),
    causes: new Map<string, readonly (readonly string[])[]>(),
  }
}

/** Performs every job as a run that detects its mutant, and records it. */
function recorder(jobs: Job[]) {
  return (job: Job) => {
    jobs.push(job)
    return Promise.resolve({ outcomes: detected(job.name), causes: ['a_cause'] })
  }
}

test('repeats exactly the runs that missed a mutant, and counts the new ones', async () => {
  const shown = everythingDetected()
  shown.mutants.set(first, MISSED)
  shown.seeds.set(second, [detected(second), MISSED])
  const jobs: Job[] = []
  expect(await repeatAlone(shown, () => SEEDS, recorder(jobs))).toEqual([
    `${first}, run 0`,
    `${second}, run 4`,
  ])
  expect(jobs).toEqual([
    { kind: 'mutant', name: first, run: 0 },
    { kind: 'mutant', name: second, run: 4, onlyItsCases: true },
  ])
  expect(missedIn(first, shown.mutants.get(first) ?? MISSED, true)).toEqual([])
  expect(missedIn(second, shown.seeds.get(second)?.[1] ?? MISSED, false)).toEqual([])
  expect(shown.causes.get(first)).toEqual([['a_cause']])
})

test('repeats a run that named no cause for a mutant which has one, but none that named a wrong one', async () => {
  const [own = '', other = ''] = NAMES.filter((name) => MUTANTS[name]?.cause !== undefined)
  const without = NAMES.find((name) => MUTANTS[name]?.cause === undefined) ?? ''
  const shown = everythingDetected()
  shown.causes
    .set(own, [[]])
    .set(other, [['a_wrong_cause']])
    .set(without, [[]])
  const jobs: Job[] = []
  expect(await repeatAlone(shown, () => SEEDS, recorder(jobs))).toEqual([`${own}, run 0`])
  expect(jobs).toEqual([{ kind: 'mutant', name: own, run: 0 }])
  expect(shown.causes.get(own)).toEqual([['a_cause']])
})

test('a mutant that is missed alone too stays missed', async () => {
  const shown = everythingDetected()
  shown.mutants.set(first, MISSED)
  await repeatAlone(
    shown,
    () => SEEDS,
    () => Promise.resolve({ outcomes: MISSED, causes: [] }),
  )
  expect(missedIn(first, shown.mutants.get(first) ?? detected(first), true)).toEqual(MUTANTS[first]?.fails)
})

test('repeats nothing if many mutants are missed, which is no chance', async () => {
  const shown = everythingDetected()
  for (const name of NAMES.slice(0, 11)) shown.mutants.set(name, MISSED)
  const jobs: Job[] = []
  expect(await repeatAlone(shown, () => SEEDS, recorder(jobs))).toEqual([])
  expect(jobs).toEqual([])
})
