// Renders docs/kill-matrix-services.md.

import { readFileSync } from 'node:fs'
import { filled } from '../../../cli/shared/template.ts'
import { requireService } from '../../../conformance/contracts/services.ts'
import {
  ALL_MISTAKES,
  mutantsOf,
  SERVICES,
  SIMPLEST,
  variantsOf,
} from '../../../test/conformance/services/grading.ts'

/** Where the results of `npm run proof -- services` are kept. */
export const KILLED = 'docs/results/service-mistakes.json'

/** By service and mistake, the cases that found it when they were last run. */
export type Killed = Readonly<Record<string, Readonly<Record<string, readonly string[]>> | undefined>>

/** Reads the last results. */
export const readKilled = (): Killed => JSON.parse(readFileSync(KILLED, 'utf8')) as Killed

/** The page as Markdown: which cases find which mistake of which service. */
export function serviceMatrixPage(killed: Killed): string {
  const found = (service: string, name: string) => killed[service]?.[name] ?? []
  const namesOf = (service: (typeof SERVICES)[number]) => mutantsOf(service).map(({ name }) => name)
  const names = new Map(SERVICES.map((service) => [service, namesOf(service)]))
  const rows = Object.keys(ALL_MISTAKES).map((name) => {
    const ids = [...new Set(SERVICES.flatMap((service) => found(service, name)))]
    const cells = SERVICES.map((service) =>
      names.get(service)?.includes(name) === true ? found(service, name).length : '–',
    )
    return `| ${[name, ...cells, ids.map((id) => `\`${id}\``).join(', ')].join(' | ')} |`
  })
  const parts = SERVICES.map((service) => {
    const { title, cases } = requireService(service)
    const mistakes = names.get(service) ?? []
    const correct = variantsOf(service)
    const failed = new Set(mistakes.flatMap((name) => found(service, name)))
    const share = (level: string) => {
      const all = cases.filter((one) => one.level === level)
      return `${all.filter(({ id }) => failed.has(id)).length} of ${all.length}`
    }
    const count = mistakes.filter((name) => found(service, name).length > 0).length
    const never = cases.filter(({ id }) => !failed.has(id)).map(({ id }) => `\`${id}\``)
    return {
      title,
      mutants: mistakes.length,
      correct,
      counts: `| ${[title, mistakes.length, count, share('MUST'), share('SHOULD'), correct.length].join(' | ')} |`,
      open: `- ${title}: ${never.join(', ') || 'none'}.`,
    }
  })
  return filled(new URL('kill-matrix-services.md.eta', import.meta.url), {
    mutants: parts.reduce((sum, { mutants }) => sum + mutants, 0),
    variants: parts.reduce((sum, { correct }) => sum + correct.length, 0),
    services: parts.map(({ title }) => title),
    counts: parts.map(({ counts }) => counts),
    rows,
    open: parts.map(({ open }) => open),
    correct: parts[0]?.correct.filter(({ name }) => name !== SIMPLEST).map(({ name }) => `- ${name}`) ?? [],
  })
}
