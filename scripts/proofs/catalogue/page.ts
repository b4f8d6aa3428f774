// Renders docs/kill-matrix.md.
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { MUTANTS } from '../../../test/mutants/mutants.ts'
import { MUSTS } from '../../../test/mutants/proof/detected.ts'
import { figuresOf } from '../../../test/mutants/proof/figures.ts'
import { type Matrix, RUNS, SEEDS } from '../../../test/mutants/proof/matrix.ts'
import { SECRETS } from '../../../test/mutants/proof/secrets.ts'
import { VARIANTS } from '../../../test/mutants/variants.ts'

/** A mutant that fails this many cases is so broken that it proves little about any one of them. */
const BLUNT_FROM = 100

/** The page as Markdown. */
export function proofPage(matrix: Matrix): string {
  const { mutants } = matrix
  const all = Object.entries(MUTANTS)
  const others = (name: string, named: readonly string[]) =>
    [...(mutants.get(name) ?? [])]
      .filter(([id, outcome]) => outcome !== 'passed' && !named.includes(id))
      .map(([id]) => id)
  const rows = all.map(([name, { fails, timed, source, cause }]) => {
    const rest = timed === true ? 'varies' : String(others(name, fails).length)
    const title = source === undefined ? name : `${name} ([${reportIn(source)}](${source}))`
    const named = cause === undefined ? '' : `\`${cause}\``
    return `| ${title} | ${fails.map((id) => `\`${id}\``).join(', ')} | ${named} | ${rest} |`
  })
  const collateral = all.flatMap(([name, { fails, timed }]) => {
    const rest = timed === true ? [] : others(name, fails)
    return rest.length === 0 ? [] : [`- **${name}**: ${bySection(rest)}`]
  })
  const sharp = all.filter(([name, { fails }]) => others(name, fails).length + fails.length < BLUNT_FROM)
  const proven = new Set<string>(sharp.flatMap(([, { fails }]) => fails))
  return `# The kill matrix

A case that cannot fail proves nothing, and a case that fails a correct receiver is worse. This page shows the results of
the whole catalogue over HTTP against mutants, which are receivers with one defect each, and against correct receivers that
differ only where [SPEC.md](../SPEC.md) leaves a choice.

\`npm run proof\` writes this page. It fails if a mutant passes a case that must detect it with any of ${SEEDS} seeds, if a MUST
case has no mutant, if a correct receiver fails a case with any of ${SECRETS.length} shapes of secrets, or if ${RUNS} runs disagree. A run
that misses a mutant, or finds no cause for it, beside others is repeated alone, since a busy machine changes the timing, and
the output names it. Runs of correct receivers are never repeated.

## Mutants

The third column is the cause that the report must name; without one it names none. The last column counts the other cases
that do not pass; they are listed below under collateral failures. It is \`varies\` if the defect depends on timing. A defect
that was found in the field links to its public report.

| defect | cases that must detect it | cause | others |
| --- | --- | --- | --- |
${rows.join('\n')}

## MUST cases without a mutant

${bulletList(figuresOf(matrix).unproven)}

## MUST cases that only a severely broken mutant fails

These cases test what every delivery depends on, so a receiver that fails one of them fails at least ${BLUNT_FROM} cases.

${bulletList(MUSTS.filter((id) => !proven.has(id)))}

## Collateral failures

The other cases that each mutant fails; more than half of a section is summarized as a count. For a few mutants they depend
on the load of the machine.

${collateral.join('\n')}

## Correct variants

None of these may fail a case. A warning means that the variant does not meet a SHOULD requirement.

| variant | warnings |
| --- | --- |
${Object.entries(VARIANTS)
  .map(([name, { warning = [] }]) => `| ${name} | ${warning.map((id) => `\`${id}\``).join(', ') || 'none'} |`)
  .join('\n')}
`
}

/**
 * The part of a page that is the same on every machine. For a few mutants the other failed cases depend on the load of the
 * machine, so the last column and the lists derived from it are written but not compared.
 */
export function comparablePart(page: string): string {
  return page
    .replace(/^(\| .* \|) (?:\d+|varies) \|$/gm, '$1')
    .replace(/^## MUST cases that only[^]*?(?=^## Collateral)/m, '')
    .replace(/^## Collateral failures[^]*?(?=^## Correct)/m, '')
}

/** What a public report is, such as `issue 341`: its address names the project. */
function reportIn(source: string): string {
  const [, kind, number] = /\/(issues|pull)\/(\d+)$/.exec(source) ?? []
  return number === undefined ? 'report' : `${kind === 'pull' ? 'pull request' : 'issue'} ${number}`
}

/** Case ids by section; more than half of a section is summarized as a count. */
function bySection(ids: readonly string[]): string {
  const sections = [...new Set(CATALOGUE.map(({ section }) => section))]
  const parts = sections.flatMap((section) => {
    const here = ids.filter((id) => id.startsWith(`${section}/`))
    const total = CATALOGUE.filter((testCase) => testCase.section === section).length
    return here.length > total / 2
      ? [`${here.length} of ${total} in \`${section}\``]
      : here.map((id) => `\`${id}\``)
  })
  return parts.join(', ')
}

function bulletList(ids: readonly string[]): string {
  return ids.length === 0 ? 'None.' : ids.map((id) => `- \`${id}\``).join('\n')
}
