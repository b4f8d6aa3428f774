import { expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import { noticeOfRate } from '../../../../conformance/engine/pace/rate.ts'
import { noticeText } from '../../../../conformance/report/words/notices.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

it('says how long a run takes at a rate, if that is a minute or more', () => {
  expect(noticeOfRate(10, 599)).toBeUndefined()
  expect(noticeOfRate(1, 60)).toEqual({ code: 'rate_takes_long', perSecond: 1, minutes: 1 })
  expect(noticeText({ code: 'rate_takes_long', perSecond: 1, minutes: 1 })).toMatch(
    /^at most 1 delivery a second: the run takes about 1 minute;/,
  )
  const notice = noticeOfRate(3, 1_800)
  expect(notice && noticeText(notice)).toBe(
    'at most 3 deliveries a second: the run takes about 10 minutes; Ctrl-C ends it with a report of what was judged',
  )
})

it('says so before the first case', async () => {
  const { url } = await smallReceiver()
  const notices: string[] = []
  const stop = new AbortController()
  await check({
    url,
    secret: SECRET,
    profile: 'core',
    rate: 1,
    onNotice: (notice) => notices.push(notice),
    onStart: () => stop.abort(),
    signal: stop.signal,
  })
  expect(notices).toEqual([
    expect.stringMatching(/^at most 1 delivery a second: the run takes about \d+ minutes/),
  ])
})
