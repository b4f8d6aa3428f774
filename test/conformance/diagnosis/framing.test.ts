import { expect, it } from 'vitest'
import type { Behavior } from '../../mutants/behavior.ts'
import { grade } from '../report/graded.ts'

it('an unread body in chunks is the cause too where it ends the connection before the response', async () => {
  const isChunked = (headers: object) => 'transfer-encoding' in headers
  let first: unknown
  const behavior: Partial<Behavior> = {
    join: (chunks, { headers }) => (isChunked(headers) ? Buffer.alloc(0) : Buffer.concat(chunks)),
    gate({ headers, socket }) {
      const signature = headers['x-service-signature']
      if (isChunked(headers)) first ??= signature
      if (first === signature) socket.destroy()
      return undefined
    },
  }
  const { causes, verdicts } = await grade({ behavior }, { only: ['transport'], profile: 'core' })
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  const isClosed = failed.map(({ problems }) => /closed/.test(problems[0]?.received ?? ''))
  expect([isClosed.length, isClosed.filter(Boolean).length]).toEqual([3, 1])
  expect(causes).toMatchObject([{ code: 'body_not_read_to_end' }])
  expect(causes?.[0]?.cases.toSorted()).toEqual(failed.map((verdict) => verdict.case).toSorted())
})
