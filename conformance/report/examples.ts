import type { ConformanceReport } from '../../schemas/types.ts'
import { SERVICE_NAMES } from '../contracts/service-names.ts'
import { SERVICES } from '../contracts/services.ts'
import { handlerFor, onceFor } from './scheme-snippets.ts'
import {
  FRAMEWORKS,
  type Framework,
  type Snippet,
  snippetOf,
  type Topic,
  topicsOf,
  topicsOfCause,
} from './snippets.ts'
import { HEADINGS } from './wording.ts'

/** Code to show, with the codes of the causes that it helps against. */
export interface Example extends Snippet {
  readonly causes: readonly string[]
}

/** The code that helps against the failures of a report; empty when none is known to. */
export function examplesFor(report: ConformanceReport): Example[] {
  const { causes = [] } = report
  const topics = topicsOf(report)
  return (['handler', 'parsing', 'once'] as const).flatMap((topic): Example[] => {
    const snippet = topics.has(topic) ? codeFor(topic, report) : undefined
    if (snippet === undefined) return []
    const helped = causes.filter((cause) => topicsOfCause(cause).includes(topic))
    return [{ ...snippet, causes: helped.map(({ code }) => code) }]
  })
}

/**
 * The command that prints the code for the user's framework, and the words before it: where that would help, and the
 * framework is not known, or only its language.
 */
export function exampleCommand(
  report: ConformanceReport,
): { readonly heading: string; readonly command: string } | undefined {
  const { causes = [], framework, otherFrameworks = [] } = report
  const cause = causes.find((one) => topicsOfCause(one).some((topic) => topic !== 'once'))
  const [first, ...others] = framework === undefined ? FRAMEWORKS : otherFrameworks
  if (cause === undefined || first === undefined) return undefined
  const command = explainCommand(cause.code, { ...report, framework: first })
  return {
    heading: framework === undefined ? HEADINGS.exampleBy : HEADINGS.exampleByOther,
    command: others.length === 0 ? command : `${command} (or ${others.join(', ')})`,
  }
}

/** The command that explains a cause, with code for the framework if that is known. */
export function explainCommand(
  code: string,
  { service, framework }: { readonly service?: string | undefined; readonly framework?: string | undefined },
): string {
  const options = Object.entries({ service, framework }).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name} ${value}`],
  )
  return `npx hookproof explain ${code}${options.join('')}`
}

/** The code that verifies the raw body of a delivery; undefined where none is known for the framework. @param service undefined for the payment service */
export const verifyingCode = (
  framework: Framework | undefined,
  service: string | undefined,
): Snippet | undefined =>
  codeFor('handler', { framework, service, causes: [{ code: 'body_reserialized', cases: [] }] })

/** The code about a topic for the service of the report; what is about the events of SPEC.md helps no other service. */
function codeFor(
  topic: Topic,
  {
    framework,
    service,
    causes = [],
  }: {
    readonly framework?: Framework | undefined
    readonly service?: string | undefined
    readonly causes?: readonly { readonly code: string; readonly cases: readonly string[] }[]
  },
): Snippet | undefined {
  if (service === undefined) return snippetOf(topic, framework)
  const known = SERVICE_NAMES.find((name) => name === service)
  if (known === undefined) return undefined
  if (topic === 'once') return onceFor(SERVICES[known])
  if (topic !== 'handler' || framework === undefined) return undefined
  const helped = causes.filter((cause) => topicsOfCause(cause).includes(topic))
  return handlerFor(
    SERVICES[known],
    framework,
    helped.map(({ code }) => code),
  )
}
