import { expect, it } from 'vitest'
import { lineDiff } from '../../../sandbox/dashboard/event/compare.ts'
import { indentJson } from '../../../sandbox/dashboard/shared/json.ts'
import { delivered, screen, send } from './support.ts'

const lines = (count: number, prefix: string): string =>
  Array.from({ length: count }, (_, index) => prefix + index).join('\n')

it('does not compare texts that are too different, and says so', async () => {
  const { event, dashboard } = await delivered()
  const echoed = lines(40_000, 'x')
  const { status, html } = await send(`${dashboard}/events/${event.id}/compare`, { echoed })
  expect(status).toBe(200)
  expect(html).toContain('Too long or too different to compare line by line.')
  expect(html).toContain('They differ from byte 0:')
})

it('limits the time of a comparison', () => {
  expect(lineDiff(lines(4_000, 'a'), lines(4_000, 'b'))).toBeUndefined()
  expect(lineDiff(lines(100_000, 'a'), lines(100_000, 'a'))).toBeUndefined()
  expect(lineDiff('a'.repeat(1_000_000), 'b')).toBeUndefined()
  const changed = lineDiff(lines(4_000, 'a'), lines(4_000, 'a').replace('a7\n', 'b\n'))
  expect(changed?.filter(({ change }) => change !== 'same')).toEqual([
    { change: 'removed', text: 'a7' },
    { change: 'added', text: 'b' },
  ])
})

it('shows a deep or long body as it is, since its indentation would be far longer', async () => {
  const { event, dashboard } = await delivered()
  const deep = `${'['.repeat(4_000)}${'1,'.repeat(20_000)}1${']'.repeat(4_000)}`
  expect(indentJson(deep)).toBeUndefined()
  expect(indentJson(`[${'1,'.repeat(300_000)}1]`)).toBeUndefined()
  expect(indentJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  const { html } = await send(`${dashboard}/events/${event.id}/compare`, { echoed: deep })
  expect(html.length).toBeLessThan(4 * deep.length)
  expect((await screen(`${dashboard}/events/${event.id}`)).status).toBe(200)
})
