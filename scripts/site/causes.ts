import { filled } from '../../cli/shared/template.ts'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import type { CatalogueCase } from '../../conformance/contracts/webhook/model.ts'
import { FRAMEWORKS, type Snippet, snippetOf, topicsOfCause } from '../../conformance/report/snippets.ts'
import { escapeHtml } from '../../conformance/report/text.ts'
import { readExamples } from '../examples/example.ts'
import {
  type DocumentedCause,
  documentedCauses,
  fixIn,
  type Mistake,
  mistakesIn,
} from '../examples/troubleshooting.ts'
import { commandFor } from './cases.ts'

/** What helps in one framework. */
interface Tab {
  readonly id: string
  readonly title: string
  /** Markdown. */
  readonly parts: readonly string[]
}

/**
 * A page for each cause that a report can name, with its fix in each framework.
 *
 * @param services links to the pages with the handlers of other services
 */
export function causePages(services: string): Map<string, string> {
  const mistakes = mistakesIn(readExamples())
  return new Map(
    documentedCauses().map((cause) => [
      `causes/${cause.code}.md`,
      causePage(
        cause,
        mistakes.filter((mistake) => mistake.cause === cause.code),
        services,
      ),
    ]),
  )
}

function causePage(cause: DocumentedCause, mistakes: readonly Mistake[], services: string): string {
  const topics = topicsOfCause(cause)
  const once = topics.includes('once') ? snippetOf('once', undefined) : undefined
  const tabs = tabsOf(cause, mistakes)
  const symptoms = [...new Set(mistakes.map(({ trap }) => trap.symptom))]
  const first = CATALOGUE.find(({ id }: CatalogueCase) => id === cause.cases[0])
  return filled(new URL('templates/cause.md.eta', import.meta.url), {
    ...cause,
    heading: prose(cause.title),
    // The heading has a single one.
    sentences: cause.sentences.length === 1 ? [] : listOf(cause.sentences),
    fixes: cause.fixes.map((text) => (cause.fixes.length === 1 ? prose(text) : `- ${prose(text)}`)),
    symptoms: symptoms.length === 0 ? '' : ` What you see: ${symptoms.join('; ')}.`,
    once: once && { ...once, block: blockOf(once) },
    tabs,
    titles: titlesOf(tabs),
    services,
    hasHandlers: topics.includes('handler'),
    command: first && commandFor(first),
    cases: cause.cases.map((id) => `[\`${id}\`](/cases/${id})`),
  })
}

/** What stands above code. */
const LEADS = { handler: 'The handler:', parsing: 'After the signature check:' } as const

/** The frameworks in which there is code for the fix: those of the snippets first, in their order. */
function tabsOf(cause: DocumentedCause, mistakes: readonly Mistake[]): Tab[] {
  const topics = topicsOfCause(cause).filter((topic) => topic !== 'once')
  const titles = new Map(mistakes.map(({ framework: { id, title } }) => [id, title]))
  const snippets = new Map(
    FRAMEWORKS.map(
      (id) =>
        [
          id as string,
          topics.flatMap((topic) => {
            const snippet = snippetOf(topic, id)
            return snippet === undefined ? [] : [{ topic, snippet }]
          }),
        ] as const,
    ).filter(([, code]) => code.length > 0),
  )
  return [...new Set([...snippets.keys(), ...titles.keys()])].map((id) => {
    const code = snippets.get(id) ?? []
    const own = mistakes.filter(({ framework }) => framework.id === id)
    return {
      id,
      title: code.at(-1)?.snippet.title ?? titles.get(id) ?? id,
      parts: [
        ...own.map(
          (mistake) =>
            `The change in the [example](/handlers/${mistake.example.name}):\n\n${diffOf(mistake)}`,
        ),
        ...code.map(({ topic, snippet }) => `${LEADS[topic]}\n\n${blockOf(snippet)}`),
      ],
    }
  })
}

const diffOf = (mistake: Mistake) => `\`\`\`diff\n${fixIn(mistake)}\n\`\`\``

/** Code as Markdown. */
export const blockOf = ({ language, code }: Snippet) => `\`\`\`${language}\n${code}\n\`\`\``

/** The titles of tabs by their ids, as an attribute. */
export const titlesOf = (tabs: readonly Pick<Tab, 'id' | 'title'>[]) =>
  escapeHtml(JSON.stringify(Object.fromEntries(tabs.map(({ id, title }) => [id, title]))))

/** How many sentences a page shows before the rest folds away. */
const SHOWN = 8

/** Sentences as a list. */
function listOf(sentences: readonly string[]): string[] {
  const items = sentences.map((text) => `- ${prose(text)}`)
  if (items.length <= SHOWN) return items
  return [
    ...items.slice(0, SHOWN),
    '',
    `::: details And ${items.length - SHOWN} more`,
    '',
    ...items.slice(SHOWN),
    '',
    ':::',
  ]
}

/** A sentence of a report as Markdown. */
const prose = (text: string) => text.replace(/[<*[\]{}]/g, (character) => `&#${character.codePointAt(0)};`)
