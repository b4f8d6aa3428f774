import { CATALOGUE } from '../conformance/catalogue/index.ts'
import { CONTRACT } from '../conformance/contract.ts'
import { createKit } from '../conformance/kit.ts'
import type { CatalogueCase } from '../conformance/model.ts'
import { EXIT, type ExitCode } from './exit.ts'
import { findCase, notFound } from './find.ts'

/** `hookproof explain`: one case, in the order in which it is thought: contract, deliveries, answer, consequence. */
export function explain(id: string): ExitCode {
  const one = findCase(id)
  if (one === undefined)
    throw notFound(
      'case',
      id,
      CATALOGUE.map((other) => other.id),
    )
  const source = CONTRACT.find(({ number }) => number === one.number)?.source ?? ''
  const rows: [string, string][] = [
    ['Contract', `SPEC.md ${one.number}: ${one.spec}`],
    ['Source', source],
    ['Profile', one.needs === 'effects' ? 'full: the effects must be observable' : 'core'],
    ...(one.mode === undefined ? [] : ([['Mode', one.mode]] satisfies [string, string][])),
    ...sends(one).map((line, index): [string, string] => [index === 0 ? 'Sends' : '', line]),
    ...one.expect.map(({ says }, index): [string, string] => [index === 0 ? 'Expects' : '', says]),
    ...(one.open === undefined ? [] : ([['Open', one.open]] satisfies [string, string][])),
    ['Means', one.consequence],
    ['Mend', one.remedy],
  ]
  process.stdout.write(`${one.id}  ${one.level}\n`)
  for (const [name, text] of rows) process.stdout.write(`  ${name.padEnd(10)}${text}\n`)
  return EXIT.ok
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
