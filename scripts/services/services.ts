// Grades the receivers with one mistake each, of every service, and writes which cases found it.
//   npm run proof -- services              writes docs/results/service-mistakes.json and docs/kill-matrix-services.md
// It fails if a mistake is not found, if no mistake fails a MUST case, or if a correct receiver fails a case.
import { writeFileSync } from 'node:fs'
import { requireService } from '../../conformance/contracts/services.ts'
import { foundIn, graded, mutantsOf, SERVICES } from '../../test/conformance/services/grading.ts'
import { correct } from '../../test/conformance/services/receiver.ts'
import { VARIANTS } from '../../test/conformance/services/variants.ts'
import { KILLED, serviceMatrixPage } from './page.ts'

const problems: string[] = []
const killed: Record<string, Record<string, string[]>> = {}
for (const service of SERVICES) {
  const of: Record<string, string[]> = {}
  const mutants = mutantsOf(service)
  for (const { name, steps, only } of mutants) of[name] = foundIn(await graded(service, steps, only))
  const missed = mutants.filter(({ name }) => of[name]?.length === 0).map(({ name }) => name)
  const failed = new Set(Object.values(of).flat())
  const musts = requireService(service).cases.filter(({ level }) => level === 'MUST')
  const unproven = musts.filter(({ id }) => !failed.has(id)).map(({ id }) => id)
  const right = correct(service)
  const simplest: (typeof VARIANTS)[string] = () => ({})
  const variants = Object.entries({ 'is the simplest': simplest, ...VARIANTS })
  const wronged: string[] = []
  for (const [name, change] of variants) {
    const { counts } = await graded(service, { ...right, ...change(right) })
    if (counts.failed > 0) wronged.push(name)
  }
  for (const name of missed) problems.push(`${service}: not found, one that ${name}`)
  for (const id of unproven) problems.push(`${service}: no mistake fails the MUST case ${id}`)
  for (const name of wronged) problems.push(`${service}: false failure of one that ${name}`)
  process.stdout.write(
    `${service}: ${mutants.length - missed.length} of ${mutants.length} mistakes found, ${musts.length - unproven.length} of ${musts.length} MUST cases failed by one, ${wronged.length} false failures of ${variants.length} correct receivers\n`,
  )
  killed[service] = of
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1
else {
  writeFileSync(KILLED, `${JSON.stringify(killed, null, 2)}\n`)
  writeFileSync('docs/kill-matrix-services.md', serviceMatrixPage(killed))
}
