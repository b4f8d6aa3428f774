import { expect, it } from 'vitest'
import { type CheckOptions, check } from '../../../../conformance/check.ts'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import type { WebhookContract } from '../../../../conformance/contracts/webhook/contract.ts'
import { renderBadge } from '../../../../conformance/report/badge.ts'
import { renderHtml } from '../../../../conformance/report/html/html.ts'
import { renderJunit } from '../../../../conformance/report/junit.ts'
import { renderMarkdown } from '../../../../conformance/report/markdown.ts'
import { renderTerminal } from '../../../../conformance/report/terminal/terminal.ts'
import type { Behavior } from '../../../mutants/behavior.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

async function graded(
  behavior: Partial<Behavior>,
  options: Partial<CheckOptions> = {},
  contract?: WebhookContract,
) {
  const { url } = await smallReceiver({ behavior })
  return check({ url, secret: SECRET, ...options }, contract)
}
/** A contract of a few cases, because only a run of all cases of a contract may end early. */
const few: WebhookContract = {
  ...paymentService,
  select: (options) => paymentService.select({ ...options, only: ['transport', 'refusals'] }),
}
const OTHER_SECRET = { keys: () => ['whsec_of_another_endpoint'] }

it('a wrong secret ends the run with its first section, with one cause and without a grade, in every report', async () => {
  const report = await graded(OTHER_SECRET)
  expect(report.causes?.map(({ code }) => code)).toEqual(['wrong_secret'])
  const judged = report.verdicts.filter(({ outcome }) => outcome !== 'untested')
  expect(new Set(judged.map(({ section }) => section))).toEqual(new Set(['transport']))
  expect(report).toMatchObject({ endedEarly: 'nothing_accepted', conclusion: 'not-conformant' })

  const { failed, warning, inconclusive, untested } = report.counts
  expect(failed + warning + inconclusive + untested).toBe(report.verdicts.length)
  const texts = [renderTerminal(report), renderMarkdown(report), renderHtml(report), renderBadge(report)]
  for (const text of texts) {
    expect(text).toContain('not graded')
    expect(text).not.toMatch(/grade [A-F]\b/i)
  }
  for (const text of texts.slice(0, 3)) {
    expect(text.replaceAll(/<[^>]+>|\*/g, '')).toMatch(
      new RegExp(
        `${failed} failed, ${warning} warnings?, ${inconclusive} inconclusive, ${untested} not tested`,
      ),
    )
    expect(text).toContain('wrong_secret')
  }
  const junit = renderJunit(report)
  const [, failures] = /<testsuites[^>]* failures="(\d+)"/.exec(junit) ?? []
  expect(Number(failures)).toBe(failed)
})

it('what shows a mistake of the receiver does not end the run', async () => {
  const withoutPrefix = await graded({ keys: (secret) => [secret.replace('whsec_', '')] }, {}, few)
  expect(withoutPrefix).not.toHaveProperty('endedEarly')
  expect(withoutPrefix.causes?.map(({ code }) => code)).toEqual(['secret_changed'])
  expect(withoutPrefix.counts.untested).toBeLessThan(10)
})

it('a run of selected cases is not cut', async () => {
  const only = ['transport/posted-as-json', 'signature-header/absent', 'refusals/another-secret']
  const report = await graded(OTHER_SECRET, { only })
  expect(report.counts.untested).toBe(0)
})

it('a receiver that accepts anything at all is graded entirely', async () => {
  const acceptsPut: Partial<Behavior> = {
    gate: () => undefined,
    trusts: (_, { method }) => method === 'PUT',
  }
  const report = await graded({ ...OTHER_SECRET, ...acceptsPut }, {}, few)
  expect(report).not.toHaveProperty('endedEarly')
})
