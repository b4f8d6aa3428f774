import { expect, test } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

test.each([
  [SECRET, []],
  [`${SECRET} `, [expect.stringContaining('starts or ends with a space')]],
])('prints that a secret has a space around it, which is signed with: "%s"', async (secret, expected) => {
  const { url } = await smallReceiver()
  const notices: string[] = []
  await check({ url, secret, only: ['events/completed'], onNotice: (notice) => notices.push(notice) })
  expect(notices).toEqual(expected)
})
