import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogDestination } from '../../../server/log/log-destination.ts'

/** A destination that writes to a text, which can fail or accept only a few bytes. */
function destination(maxHeldBytes?: number) {
  const disk = { text: '', code: '', room: Number.POSITIVE_INFINITY, attempts: 0 }
  const write = (data: string | Buffer): number => {
    disk.attempts += 1
    const bytes = Buffer.from(data)
    const count = Math.min(bytes.length, disk.room)
    if (disk.code !== '' && count === 0) throw Object.assign(new Error(disk.code), { code: disk.code })
    disk.text += bytes.toString('latin1', 0, count)
    disk.room -= count
    return count
  }
  /** From now on only so many bytes can be written, and then there is this error. */
  const fail = (code: string, room = 0): void => void Object.assign(disk, { code, room })
  const recover = (): void => void Object.assign(disk, { code: '', room: Number.POSITIVE_INFINITY })
  const log = createLogDestination({
    write,
    report: ({ lines, cause }) => `${lines} lost: ${cause}\n`,
    ...(maxHeldBytes !== undefined && { maxHeldBytes }),
  })
  return { disk, fail, recover, log }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the destination of the log', () => {
  it('writes each line immediately', () => {
    const { disk, log } = destination()
    log.write('one\n')
    log.write('two\n')
    expect(disk).toMatchObject({ text: 'one\ntwo\n', attempts: 2 })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['ENOSPC', 'EPIPE', 'EBADF', 'EIO'])(
    'drops and counts lines after %s, and reports them once it can write again',
    (code) => {
      const { disk, fail, recover, log } = destination()
      log.write('one\n')
      fail(code)
      for (const line of ['two\n', 'three\n']) log.write(line)
      vi.advanceTimersByTime(500)
      log.write('four\n')
      expect([disk.text, log.dropped]).toEqual(['one\n', 3])
      recover()
      vi.advanceTimersByTime(100)
      log.write('five\n')
      expect(disk.text).toBe(`one\n3 lost: ${code}\nfive\n`)
      expect(log.dropped).toBe(3)
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('reports each failure separately', () => {
    const { disk, fail, recover, log } = destination()
    for (const line of ['one\n', 'two\n']) {
      fail('ENOSPC')
      log.write(line)
      recover()
      vi.advanceTimersByTime(100)
    }
    expect([disk.text, log.dropped]).toEqual(['1 lost: ENOSPC\n1 lost: ENOSPC\n', 2])
  })

  it('tries a failed log ten times per second, however many lines there are', () => {
    const { disk, fail, log } = destination()
    fail('ENOSPC')
    for (let line = 0; line < 1000; line += 1) log.write('line\n')
    vi.advanceTimersByTime(1000)
    expect(disk.attempts).toBe(11)
  })

  it('completes a line that was cut short before it writes another one', () => {
    const { disk, fail, recover, log } = destination()
    fail('ENOSPC', 1)
    for (const line of ['öne\n', 'two\n', 'three\n']) log.write(line)
    expect([disk.text.length, log.dropped]).toEqual([1, 2])
    recover()
    vi.advanceTimersByTime(100)
    log.write('four\n')
    expect(Buffer.from(disk.text, 'latin1').toString()).toBe('öne\n2 lost: ENOSPC\nfour\n')
  })

  it('completes a report that was cut short', () => {
    const { disk, fail, recover, log } = destination()
    fail('ENOSPC')
    log.write('one\n')
    fail('ENOSPC', 4)
    vi.advanceTimersByTime(100)
    log.write('two\n')
    recover()
    vi.advanceTimersByTime(100)
    expect(disk.text).toBe('1 lost: ENOSPC\n1 lost: ENOSPC\n')
  })

  it('holds lines for a slow reader, in order', () => {
    const { disk, fail, recover, log } = destination()
    fail('EAGAIN', 2)
    for (const line of ['one\n', 'two\n', 'three\n']) log.write(line)
    expect(disk.text).toBe('on')
    fail('EAGAIN', 3)
    vi.advanceTimersByTime(10)
    expect(disk.text).toBe('one\nt')
    recover()
    vi.advanceTimersByTime(10)
    log.write('four\n')
    expect([disk.text, log.dropped]).toEqual(['one\ntwo\nthree\nfour\n', 0])
  })

  it('drops lines beyond its limit when the reader has stopped', () => {
    const { disk, fail, recover, log } = destination(8)
    fail('EAGAIN')
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) log.write(line)
    expect(log.dropped).toBe(2)
    recover()
    vi.advanceTimersByTime(10)
    expect(disk.text).toBe('one\ntwo\n2 lost: EAGAIN\n')
  })

  it('waits at the end for a slow reader, but only so long', async () => {
    vi.useRealTimers()
    const { disk, fail, recover, log } = destination()
    fail('EAGAIN')
    log.write('one\n')
    await log.drain(30)
    expect(disk.text).toBe('')
    recover()
    await log.drain(60_000)
    expect(disk.text).toBe('one\n')
  })

  it('does not wait at the end for a disk that is full', async () => {
    const { fail, log } = destination()
    fail('ENOSPC')
    log.write('one\n')
    await log.drain(60_000)
  })
})
