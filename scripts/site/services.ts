import { filled } from '../../cli/shared/template.ts'
import { SERVICE_NAMES } from '../../conformance/contracts/service-names.ts'
import { SERVICES } from '../../conformance/contracts/services.ts'
import type { WebhookContract } from '../../conformance/contracts/webhook/contract.ts'
import { handlerFor } from '../../conformance/report/scheme-snippets.ts'
import { FRAMEWORKS } from '../../conformance/report/snippets.ts'
import { blockOf, titlesOf } from './causes.ts'

/** Those of one vendor come first. */
const ids = SERVICE_NAMES.filter((id) => id !== 'payment-service').toSorted(
  (a, b) => Number(a === 'standard-webhooks') - Number(b === 'standard-webhooks'),
)

/** The services beside the payment service, as links to their pages. */
export const serviceLinks = (): string =>
  ids
    .map((id) => `[${SERVICES[id].title}](/services/${id})`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ')

/** A page for each service, with a handler that verifies its deliveries in each framework. */
export const servicePages = (): Map<string, string> =>
  new Map([
    ['_services.md', serviceLinks()],
    ...ids.map((id): [string, string] => [`services/${id}.md`, servicePage(SERVICES[id])]),
  ])

function servicePage(contract: WebhookContract): string {
  const tabs = FRAMEWORKS.flatMap((framework) => {
    const own = handlerFor(contract, framework)
    if (own === undefined) return []
    const library = contract.library?.[framework] && handlerFor(contract, framework, ['body_reserialized'])
    const parts =
      library === undefined
        ? [blockOf(own)]
        : [`With ${contract.title}'s library:`, blockOf(library), 'Without it:', blockOf(own)]
    return [{ id: framework, title: own.title.replace(` for ${contract.title}`, ''), parts }]
  })
  return filled(new URL('templates/service.md.eta', import.meta.url), {
    ...contract,
    tabs,
    titles: titlesOf(tabs),
  })
}
