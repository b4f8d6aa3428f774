// Proves the catalogue: runs it against every mutant and every correct variant, prints the figures, fails when one is
// short, and writes docs/kill-matrix.md, or with --check fails when the committed one is out of date.
import { readFile, writeFile } from 'node:fs/promises'
import { figuresOf, MUSTS } from '../test/mutants/figures.ts'
import { type Matrix, runMatrix } from '../test/mutants/matrix.ts'
import { MUTANTS } from '../test/mutants/mutants.ts'
import { VARIANTS } from '../test/mutants/variants.ts'

const PATH = 'docs/kill-matrix.md'
/** A mutant that more cases than this tell is so wrong that it proves little of any one of them. */
const BLUNT_FROM = 100

const matrix = await runMatrix()
const { survivors, unproven, falseFailures, unstable } = figuresOf(matrix)
const all = Object.entries(MUTANTS)

console.log(`mutants killed           ${all.length - survivors.size} of ${all.length}`)
console.log(`MUST cases killed        ${MUSTS.length - unproven.length} of ${MUSTS.length}`)
console.log(`false failures           ${falseFailures.length} on ${Object.keys(VARIANTS).length} variants`)
console.log(`unstable verdicts        ${unstable.length} in 3 runs of ${matrix.repeated.size} receivers`)
for (const [name, missed] of survivors) console.error(`not killed: ${name} by ${missed.join(', ')}`)
for (const id of unproven) console.error(`no mutant fails: ${id}`)
for (const what of falseFailures) console.error(`false failure: ${what}`)
for (const what of unstable) console.error(`unstable: ${what}`)

const short = [survivors.size, unproven.length, falseFailures.length, unstable.length].some((n) => n > 0)
const wanted = page(matrix)
if (short) process.exitCode = 1
else if (!process.argv.includes('--check')) await writeFile(PATH, wanted)
else if ((await readFile(PATH, 'utf8').catch(() => '')) !== wanted) {
  console.error(`out of date: ${PATH}\nRun \`npm run proof\` and commit what it writes.`)
  process.exitCode = 1
}

function page({ mutants }: Matrix): string {
  const others = (name: string, named: readonly string[]) => {
    const told = [...(mutants.get(name) ?? [])].filter(([, outcome]) => outcome !== 'passed')
    return told.filter(([id]) => !named.includes(id)).length
  }
  const rows = all.map(([name, { fails, timed }]) => {
    const rest = timed === true ? 'varies' : others(name, fails)
    return `| ${name} | ${fails.map((id) => `\`${id}\``).join(', ')} | ${rest} |`
  })
  const sharp = all.filter(([name, { fails }]) => others(name, fails) + fails.length < BLUNT_FROM)
  const proven = new Set<string>(sharp.flatMap(([, { fails }]) => fails))
  const blunt = MUSTS.filter((id) => !proven.has(id))
  return `# The kill matrix

A check that can not fail proves nothing, and one that fails a correct receiver is worse. So the whole catalogue is run
over HTTP against receivers that are wrong in one way each, and against correct ones that differ only where
[SPEC.md](../SPEC.md) leaves a choice. This page is written by \`npm run proof\`, which fails when a mutant gets past a
case that is named for it, when a MUST case has no mutant, when a variant does not pass, or when three runs disagree.

## Mutants

The last column counts the further cases that do not pass. It says \`varies\` where the mistake is a matter of moments.

| what it does wrong | cases that must tell | others |
| --- | --- | --- |
${rows.join('\n')}

## MUST cases without a mutant

${listed(unproven)}

## MUST cases that only a very wrong mutant fails

These ask for what every delivery needs, so a receiver that fails one of them fails at least ${BLUNT_FROM} cases.

${listed(blunt)}

## Correct variants

None of these may fail a case. The advice is what a SHOULD says to a receiver that departs from it.

| what it does its own way | advice |
| --- | --- |
${Object.entries(VARIANTS)
  .map(([name, { advised = [] }]) => `| ${name} | ${advised.map((id) => `\`${id}\``).join(', ') || 'none'} |`)
  .join('\n')}
`
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'None.' : ids.map((id) => `- \`${id}\``).join('\n')
}
