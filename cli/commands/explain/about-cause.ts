import { type CauseDescription, describeCause } from '../../../conformance/diagnosis/about/describe.ts'
import { troubleshootingUrl } from '../../../conformance/report/docs-url.ts'
import {
  FRAMEWORKS,
  type Framework,
  parsingOf,
  snippetOf,
} from '../../../conformance/report/frameworks/frameworks.ts'
import { ONCE, type Snippet } from '../../../conformance/report/frameworks/snippet.ts'
import { topicsOfCause } from '../../../conformance/report/frameworks/topics.ts'
import { listed, type Row, rows } from './rows.ts'

/** A cause by its code: what a report says, the fix, code that helps, and the cases that show it; undefined for another name. */
export function aboutCause(code: string, framework: Framework | undefined): string | undefined {
  const cause = describeCause(code)
  if (cause === undefined) return undefined
  return `${rows(`${cause.code}  cause of failures`, [
    ...listed('Cause', cause.sentences),
    ...listed('Fix', cause.fixes),
    ...listed('Shown by', cause.cases),
    ...hint(cause, framework),
    ['Docs', troubleshootingUrl()],
  ])}${example(cause, framework)}`
}

/** How to get code in the framework of the receiver. */
function hint(cause: CauseDescription, framework: Framework | undefined): Row[] {
  const isInFramework = topicsOfCause(cause).some((topic) => topic !== 'once')
  return isInFramework && framework === undefined
    ? [['Example', `add --framework with one of ${FRAMEWORKS.join(', ')}`]]
    : []
}

function example(cause: CauseDescription, framework: Framework | undefined): string {
  const snippets = topicsOfCause(cause).flatMap((topic): Snippet[] => {
    if (topic === 'once') return [ONCE]
    if (framework === undefined) return []
    return [topic === 'parsing' ? parsingOf(framework) : snippetOf(framework)]
  })
  return snippets.map(blockOf).join('')
}

function blockOf({ title, code }: Snippet): string {
  const lines = code.split('\n').map((line) => (line === '' ? '' : `    ${line.replaceAll('\t', '    ')}`))
  return `\nExample in ${title}\n${lines.join('\n')}\n`
}
