import { createKit } from '../../../conformance/case/kit.ts'
import type { CatalogueCase } from '../../../conformance/case/model.ts'
import { CATALOGUE, SECTIONS } from '../../../conformance/catalogue/index.ts'
import { CONTRACT, UNTESTABLE } from '../../../conformance/generated/contract.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { findCase, notFound } from '../../shared/find.ts'
import { table } from '../cases/cases.ts'

type Row = readonly [name: string, text: string]
type Requirement = (typeof CONTRACT)[number]

/**
 * `hookproof explain`: a case, a requirement by its number, or a section.
 *
 * @throws UsageError for a name that is none of these
 */
export function explain(name: string): ExitCode {
  process.stdout.write(textOf(name))
  return EXIT.ok
}

function textOf(name: string): string {
  const one = findCase(name)
  if (one !== undefined) return aboutCase(one)
  const requirement = CONTRACT.find(({ number }) => number === name)
  if (requirement !== undefined) return aboutRequirement(requirement)
  const section = SECTIONS.find(({ id }) => id === name)
  if (section !== undefined) {
    return `${section.id}: ${section.title}\n\n${table(CATALOGUE.filter((one) => one.section === name))}`
  }
  throw notFound('case, requirement or section', name, [
    ...SECTIONS.map(({ id }) => id),
    ...CONTRACT.map(({ number }) => number),
    ...CATALOGUE.map(({ id }) => id),
  ])
}

/** In the order in which it is thought: contract, deliveries, answer, impact. */
function aboutCase(one: CatalogueCase): string {
  const source = CONTRACT.find(({ number }) => number === one.number)?.source ?? ''
  return rows(`${one.id}  ${one.level}`, [
    ['Contract', `SPEC.md ${one.number}: ${one.spec}`],
    ['Source', source],
    ['Profile', one.needs === 'effects' ? 'full: the effects must be observable' : 'core'],
    ...(one.mode === undefined ? [] : ([['Mode', one.mode]] satisfies Row[])),
    ...listed('Sends', sends(one)),
    ...listed(
      'Expects',
      one.expect.map(({ expected }) => expected),
    ),
    ...(one.open === undefined ? [] : ([['Open', one.open]] satisfies Row[])),
    ['Means', one.impact],
    ['Mend', one.fix],
  ])
}

function aboutRequirement({ number, level, sentence, source }: Requirement): string {
  const own = CATALOGUE.filter((one) => one.number === number)
  const [, reason] = Object.entries(UNTESTABLE).find(([other]) => other === number) ?? []
  return rows(`${number}  ${level}`, [
    ['Contract', `SPEC.md ${number}: ${sentence}`],
    ['Source', source],
    ...listed('Cases', reason === undefined ? own.map(({ id }) => id) : [`none: ${reason}`]),
  ])
}

function rows(title: string, all: readonly Row[]): string {
  return [title, ...all.map(([name, text]) => `  ${name.padEnd(10)}${text}`), ''].join('\n')
}

/** A name beside the first of several texts. */
function listed(name: string, texts: readonly string[]): Row[] {
  return texts.map((text, index) => [index === 0 ? name : '', text])
}

function sends(one: CatalogueCase): string[] {
  const now = () => Math.floor(Date.now() / 1000)
  const kit = createKit(one.id, { secret: 'whsec_example', seed: 'explain', mode: one.mode ?? 'test', now })
  const lines = one.send(kit).flatMap(({ how, deliveries }) =>
    deliveries.map(({ method, event, change, role }) => {
      const what = `${method} ${event ?? 'a body'}${change === undefined ? '' : ` with ${change}`}`
      const manner =
        how === 'together' ? ' (all at once)' : how === 'one-connection' ? ' (on one connection)' : ''
      return `${what}${role === 'control' ? ', as the control' : ''}${manner}`
    }),
  )
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, times]) => (times === 1 ? line : `${line}, ${times} times`))
}
