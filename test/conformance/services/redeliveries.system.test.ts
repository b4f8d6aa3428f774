import { expect, it } from 'vitest'
import { causeOf } from './causes.ts'
import { EFFECTIVE } from './effects.ts'
import { graded, mutantNamed } from './grading.ts'
import { correct, type Steps } from './receiver.ts'

const SERVICE = 'standard-webhooks'
/** Those that need neither a pause nor an overlap; `npm run proof -- services` grades all. */
const NAMED = [
  'handles redeliveries',
  'recognizes redeliveries by their signature',
  'remembers what it has not verified',
  'answers 409 to what a forgery was about',
  'handles what it then refuses',
]
const causesOf = async (steps: Steps) => {
  const { causes = [] } = await graded(SERVICE, steps, ['transport', 'duplicates', 'effects'])
  return causes
}

it('names the cause of what a receiver shows as handled too often, or not at all', async () => {
  const found = NAMED.map(async (name) => {
    return [name, await causesOf(mutantNamed(SERVICE, name).create())] as const
  })
  for (const [name, causes] of await Promise.all(found)) {
    expect(
      causes.map(({ code }) => code),
      name,
    ).toEqual([causeOf(name, SERVICE)])
    for (const { sentence, fix } of causes) expect(`${sentence} ${fix}`).not.toMatch(/payment|refund/)
    if (name === 'handles redeliveries')
      expect(causes[0]?.fix).toContain('Insert the header webhook-id under a unique key')
  }
})

it('names none for receivers that handle each delivery once in another way', async () => {
  const right = correct(SERVICE)
  const causes = Object.values(EFFECTIVE).map((change) => causesOf({ ...right, ...change(right) }))
  expect((await Promise.all(causes)).flat()).toEqual([])
})

it('says of each of two events that report one change how often it was handled', async () => {
  const steps: Steps = {
    ...correct('stripe'),
    accept: (request, inbox, status) => {
      inbox.handle(request)
      return status
    },
  }
  const { verdicts } = await graded('stripe', steps, ['duplicates/two-events-of-one-change'])
  expect(verdicts.flatMap(({ problems }) => problems)).toMatchObject([
    { received: expect.stringMatching(/^evt_\w+: handled once; evt_\w+: handled once$/) },
  ])
})
