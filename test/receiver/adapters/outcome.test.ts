import { expect, it, onTestFinished, vi } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { standardError } from '../../support/standard-error.ts'
import { callbacks, events, signed, verify } from '../support.ts'
import { FRAMEWORKS } from './frameworks.ts'

const { body, header } = signed(events('outcome').event('completed'))

for (const [name, serve] of Object.entries(FRAMEWORKS)) {
  it.each(callbacks('the log\nis gone'))(
    `${name} answers 200 and logs one line when onOutcome %s`,
    async (_how, onOutcome) => {
      const onStandardError = standardError()
      const onConsole = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => onConsole.mockRestore())
      const inbox = memoryInbox()
      const { url, close } = await serve({ verify, inbox, onOutcome })
      onTestFinished(async () => void (await close()))
      const headers = { 'X-Service-Signature': header }
      const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
      expect(await inbox.list({ state: 'pending' })).toHaveLength(1)
      const lines = [...onStandardError(), ...onConsole.mock.calls.map(([line]) => `${line}\n`)]
      expect(lines).toEqual(['hookproof: onOutcome: the log is gone\n'])
    },
  )
}

for (const [name, serve] of Object.entries(FRAMEWORKS)) {
  it(`${name} logs a failure of the store once a minute unless onFailure is given`, async () => {
    const onStandardError = standardError()
    const onConsole = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => onConsole.mockRestore())
    const inbox = { ...memoryInbox(), accept: () => Promise.reject(new Error('the disk\nis full')) }
    const onFailure = vi.fn()
    const silent = await serve({ verify, inbox, onFailure })
    onTestFinished(async () => void (await silent.close()))
    const logging = await serve({ verify, inbox })
    onTestFinished(async () => void (await logging.close()))
    const headers = { 'X-Service-Signature': header }
    for (const { url } of [silent, logging, logging]) {
      expect((await fetch(`${url}/webhooks`, { method: 'POST', headers, body })).status).toBe(503)
    }
    expect(onFailure).toHaveBeenCalledOnce()
    const lines = [...onStandardError(), ...onConsole.mock.calls.map(([line]) => `${line}\n`)]
    expect(lines).toEqual(['hookproof: a delivery got 503 store_unavailable: the disk is full\n'])
  })
}

for (const [name, serve] of Object.entries(FRAMEWORKS)) {
  it.each(callbacks('the log is gone'))(
    `${name} answers 503, calls onOutcome and logs one line when onFailure %s`,
    async (_how, onFailure) => {
      const onStandardError = standardError()
      const onConsole = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => onConsole.mockRestore())
      const inbox = { ...memoryInbox(), accept: () => Promise.reject(new Error('the disk is full')) }
      const onOutcome = vi.fn()
      const { url, close } = await serve({ verify, inbox, onOutcome, onFailure })
      onTestFinished(async () => void (await close()))
      const headers = { 'X-Service-Signature': header }
      const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body })
      expect(response.status).toBe(503)
      expect(onOutcome).toHaveBeenCalledOnce()
      const lines = [...onStandardError(), ...onConsole.mock.calls.map(([line]) => `${line}\n`)]
      expect(lines).toEqual(['hookproof: onFailure: the log is gone\n'])
    },
  )
}
