import { type CauseDescription, describeCause } from '../../../conformance/diagnose/about/describe.ts'
import { troubleshootingUrl } from '../../../conformance/report/docs-url.ts'
import { FRAMEWORKS, type Framework, snippetOf } from '../../../conformance/report/frameworks/frameworks.ts'
import { ONCE } from '../../../conformance/report/frameworks/snippet.ts'
import { topicOf } from '../../../conformance/report/frameworks/topics.ts'
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
function hint({ code }: CauseDescription, framework: Framework | undefined): Row[] {
  return topicOf(code) === 'handler' && framework === undefined
    ? [['Example', `add --framework with one of ${FRAMEWORKS.join(', ')}`]]
    : []
}

function example({ code }: CauseDescription, framework: Framework | undefined): string {
  const topic = topicOf(code)
  const snippet =
    topic === 'once'
      ? ONCE
      : topic === undefined || framework === undefined
        ? undefined
        : snippetOf(framework)
  if (snippet === undefined) return ''
  const lines = snippet.code
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line.replaceAll('\t', '    ')}`))
  return `\nExample in ${snippet.title}\n${lines.join('\n')}\n`
}
