// Renders docs/kill-matrix.md.

import { filled } from '../../../cli/shared/template.ts'
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
  return filled(new URL('kill-matrix.md.eta', import.meta.url), {
    seeds: SEEDS,
    secrets: SECRETS.length,
    runs: RUNS,
    rows,
    unproven: bulletList(figuresOf(matrix).unproven),
    bluntFrom: BLUNT_FROM,
    blunt: bulletList(MUSTS.filter((id) => !proven.has(id))),
    collateral,
    variants: Object.entries(VARIANTS).map(
      ([name, { warning = [] }]) => `| ${name} | ${warning.map((id) => `\`${id}\``).join(', ') || 'none'} |`,
    ),
  })
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
