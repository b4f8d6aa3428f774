import { expect, it, onTestFinished } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { renderMarkdown } from '../../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../../conformance/report/terminal/terminal.ts'
import { startReceiver } from '../../../mutants/receiver.ts'

/** Grades a receiver with this secret that names what it does not like. */
async function graded(secret: string, explanation: string) {
  const receiver = await startReceiver(secret, { behavior: { explain: () => explanation } })
  onTestFinished(receiver.stop)
  const notices: string[] = []
  const url = receiver.url
  const only = ['disclosure', 'refusals/another-secret', 'signature-header/absent', 'events/completed']
  const report = await check({ url, secret, seed: '1', only, onNotice: (line) => notices.push(line) })
  return { report, notices }
}

it.each([
  ['secret', []],
  ['test', []],
  // Every response has this letter, in a header.
  ['a', ['disclosure/no-secret-in-any-response']],
  ['200', []],
])('a receiver whose secret is a word discloses nothing: %s', async (word, more) => {
  const { report, notices } = await graded(word, `bad ${word}`)

  expect(report.verdicts.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  const untested = report.verdicts.filter(({ outcome }) => outcome === 'untested')
  expect(untested.map(({ case: id }) => id)).toEqual([
    'disclosure/no-secret-in-a-refusal',
    'disclosure/no-secret-after-an-unreadable-body',
    'disclosure/no-secret-in-an-answer-to-get',
    'disclosure/no-secret-on-pages-of-operators',
    ...more,
  ])
  expect(untested[0]?.reason).toContain('test with a secret of at least 16 characters')
  expect(report.conclusion).toBe('incomplete')
  expect(notices).toEqual([expect.stringContaining('the signing secret has fewer than 16 characters')])
})

it('hides a short secret in answers, and nothing in the texts, ids and URLs of the report', async () => {
  const { report } = await graded('test', 'the test was bad')
  const answers = report.verdicts.flatMap(({ exchanges }) => exchanges.map(({ answer }) => answer?.body.text))
  expect(answers).toContain('the [signing secret] was bad')
  const own = report.verdicts.flatMap(({ exchanges, ...verdict }) => [
    verdict,
    exchanges.map(({ delivery }) => delivery),
  ])
  for (const text of [JSON.stringify(own), renderTerminal(report), renderMarkdown(report)]) {
    expect(text.replaceAll('the [signing secret] was bad', '').includes('[signing secret]')).toBe(false)
  }
})

it('fails a receiver that discloses a secret that cannot occur by chance', async () => {
  const { report, notices } = await graded('whsec_0123456789', 'not signed with whsec_0123456789')
  expect(report.verdicts.find(({ case: id }) => id === 'disclosure/no-secret-in-a-refusal')?.outcome).toBe(
    'failed',
  )
  expect(JSON.stringify(report).includes('whsec_0123456789')).toBe(false)
  expect(notices).toEqual([])
})
