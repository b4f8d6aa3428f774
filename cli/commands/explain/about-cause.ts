import { type CauseDescription, describeCause } from '../../../conformance/diagnosis/about/describe.ts'
import { troubleshootingUrl } from '../../../conformance/report/package.ts'
import {
  FRAMEWORKS,
  type Framework,
  type Snippet,
  snippetOf,
  topicsOfCause,
} from '../../../conformance/report/snippets.ts'
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
  const snippets = topicsOfCause(cause).flatMap((topic) => snippetOf(topic, framework) ?? [])
  return snippets.map(blockOf).join('')
}

function blockOf({ title, code }: Snippet): string {
  const lines = code.split('\n').map((line) => (line === '' ? '' : `    ${line.replaceAll('\t', '    ')}`))
  return `\nExample in ${title}\n${lines.join('\n')}\n`
}
