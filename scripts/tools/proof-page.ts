// Writes docs/kill-matrix.md from a matrix.
import { CATALOGUE } from '../../conformance/catalogue/index.ts'
import { figuresOf, MUSTS } from '../../test/mutants/figures.ts'
import type { Matrix } from '../../test/mutants/matrix.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { VARIANTS } from '../../test/mutants/variants.ts'

/** A mutant that more cases than this tell is so wrong that it proves little of any one of them. */
const BLUNT_FROM = 100

/** The page as Markdown. */
export function proofPage(matrix: Matrix): string {
  const { mutants } = matrix
  const all = Object.entries(MUTANTS)
  const others = (name: string, named: readonly string[]) =>
    [...(mutants.get(name) ?? [])]
      .filter(([id, outcome]) => outcome !== 'passed' && !named.includes(id))
      .map(([id]) => id)
  const rows = all.map(([name, { fails, timed }]) => {
    const rest = timed === true ? 'varies' : String(others(name, fails).length)
    return `| ${name} | ${fails.map((id) => `\`${id}\``).join(', ')} | ${rest} |`
  })
  const collateral = all.flatMap(([name, { fails, timed }]) => {
    const rest = timed === true ? [] : others(name, fails)
    return rest.length === 0 ? [] : [`- **${name}**: ${bySection(rest)}`]
  })
  const sharp = all.filter(([name, { fails }]) => others(name, fails).length + fails.length < BLUNT_FROM)
  const proven = new Set<string>(sharp.flatMap(([, { fails }]) => fails))
  return `# The kill matrix

A check that can not fail proves nothing, and one that fails a correct receiver is worse. So the whole catalogue is run
over HTTP against receivers that are wrong in one way each, and against correct ones that differ only where
[SPEC.md](../SPEC.md) leaves a choice. This page is written by \`npm run proof\`, which fails when a mutant gets past a
case that is named for it, when a MUST case has no mutant, when a correct receiver does not pass, or when three runs
disagree.

## Mutants

The last column counts the further cases that do not pass, which are named below. It says \`varies\` where the mistake is
a matter of moments.

| what it does wrong | cases that must tell | others |
| --- | --- | --- |
${rows.join('\n')}

## MUST cases without a mutant

${listed(figuresOf(matrix).unproven)}

## MUST cases that only a very wrong mutant fails

These ask for what every delivery needs, so a receiver that fails one of them fails at least ${BLUNT_FROM} cases.

${listed(MUSTS.filter((id) => !proven.has(id)))}

## Collateral failures

The further cases of each mutant, counted where they are more than half of a section. For a few they depend on how busy the
machine is.

${collateral.join('\n')}

## Correct variants

None of these may fail a case. The advice is what a SHOULD says to a receiver that departs from it.

| what it does its own way | advice |
| --- | --- |
${Object.entries(VARIANTS)
  .map(([name, { warning = [] }]) => `| ${name} | ${warning.map((id) => `\`${id}\``).join(', ') || 'none'} |`)
  .join('\n')}
`
}

/**
 * The part of a page that is the same on every machine. Which further cases a mutant fails depends for a few on how busy
 * the machine is, so the last column and the lists drawn from it are written anew but not compared.
 */
export function settled(page: string): string {
  return page
    .replace(/^(\| .* \|) (?:\d+|varies) \|$/gm, '$1')
    .replace(/^## MUST cases that only[^]*?(?=^## Collateral)/m, '')
    .replace(/^## Collateral failures[^]*?(?=^## Correct)/m, '')
}

/** Case ids by their sections; a section that is there as a whole is named alone. */
function bySection(ids: readonly string[]): string {
  const sections = [...new Set(CATALOGUE.map(({ section }) => section))]
  const parts = sections.flatMap((section) => {
    const here = ids.filter((id) => id.startsWith(`${section}/`))
    const whole = CATALOGUE.filter((one) => one.section === section).length
    return here.length > whole / 2
      ? [`${here.length} of ${whole} in \`${section}\``]
      : here.map((id) => `\`${id}\``)
  })
  return parts.join(', ')
}

function listed(ids: readonly string[]): string {
  return ids.length === 0 ? 'None.' : ids.map((id) => `- \`${id}\``).join('\n')
}
