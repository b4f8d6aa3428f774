import { expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { statusCauses } from '../../../conformance/diagnosis/causes/responses.ts'
import type { Symptoms } from '../../../conformance/diagnosis/symptoms.ts'
import { causeText } from '../../../conformance/report/words/causes/causes.ts'

/** The sentence about refusals that get these statuses. */
function sentenceOf(statuses: Readonly<Record<string, number>>): string | undefined {
  const trials = Object.entries(statuses).map(([correct, status]) => ({
    correct,
    status,
    shouldAccept: false,
    delivery: { body: Buffer.from('{}') },
    exchange: { answer: { status, headers: [], body: Buffer.alloc(0) } },
    verdict: { outcome: 'failed', exchanges: [] },
  }))
  const symptoms = { trials, valid: [], verdicts: [], service: paymentService } as unknown as Symptoms
  const [cause] = statusCauses(symptoms)
  return cause && causeText(cause, paymentService).sentence
}

it.each<[Readonly<Record<string, number>>, string]>([
  [{ forged: 500, stale: 500 }, 'A refusal gets 500, because an error in the verification is not caught.'],
  [
    { forged: 500, missing: 403 },
    'A wrong signature gets 500, because an error in the verification is not caught; a delivery without a signature header, t or v1 gets 403 instead of 400.',
  ],
  [{ forged: 403, stale: 403 }, 'Every refusal gets the status 403.'],
])('says of each refusal what it got, and which one was chosen: %j', (statuses, sentence) => {
  expect(sentenceOf(statuses)).toBe(sentence)
})

it('names no error of the receiver for the page of a server in front', () => {
  const trial = (correct: string, status: number, page: string) => ({
    correct,
    status,
    shouldAccept: false,
    accepted: false,
    delivery: { body: Buffer.from('{}'), change: 'a change' },
    exchange: { answer: { status, headers: [], body: Buffer.from(page) } },
    verdict: { outcome: 'failed', exchanges: [] },
  })
  const causesOf = (page: string) => {
    const trials = [trial('forged', 401, ''), trial('malformed', 500, page)]
    return statusCauses({
      trials,
      valid: [],
      verdicts: [],
      service: paymentService,
    } as unknown as Symptoms).map(({ code }) => code)
  }
  expect(causesOf('Internal Server Error')).toContain('error_not_caught')
  expect(causesOf('<hr><center>nginx/1.29</center>')).toEqual([])
})

it('explains no accepted forgery by the redirect that its control got', () => {
  const trial = (verdict: object, status: number, shouldAccept: boolean) => ({
    verdict,
    status,
    shouldAccept,
    accepted: status === 200 ? true : undefined,
    delivery: { body: Buffer.from('{}') },
    exchange: { answer: { status, headers: [], body: Buffer.alloc(0) } },
  })
  const redirected = { outcome: 'failed', exchanges: [] }
  const bypassed = { outcome: 'failed', exchanges: [] }
  const trials = [trial(redirected, 301, true), trial(bypassed, 301, true), trial(bypassed, 200, false)]
  const valid = trials.filter(({ shouldAccept }) => shouldAccept)
  const causes = statusCauses({ trials, valid, verdicts: [], service: paymentService } as unknown as Symptoms)

  expect(causes.map(({ code, explains }) => [code, explains])).toEqual([['redirects', new Set([redirected])]])
})

it.each([
  [429, 'Bad signatures lock the receiver'],
  [503, 'or it has failed'],
])('says of a receiver that answers %i to everybody after bad signatures: %s', (status, expected) => {
  const cause = { code: 'locked_out', data: { status }, explains: new Set() } as const
  expect(causeText(cause, paymentService).sentence).toContain(expected)
})
