import { describe, expect, it, test } from 'vitest'
import { ConfigError, readConfig } from '../../receiver/config.ts'

const env = { WEBHOOK_SECRET: 'whsec_current' }

test('only the secret is needed', () => {
  expect(readConfig(env)).toEqual({
    secrets: ['whsec_current'],
    toleranceSeconds: 300,
    host: '127.0.0.1',
    port: 3000,
    inbox: './inbox.sqlite',
    bodyLimitBytes: 1_048_576,
    observe: false,
    logLevel: 'info',
  })
})

test('every variable is read', () => {
  const full = {
    ...env,
    WEBHOOK_SECRET_PREVIOUS: 'whsec_previous',
    TOLERANCE_SECONDS: '60',
    HOST: '::1',
    PORT: '0',
    INBOX: 'memory',
    BODY_LIMIT_BYTES: '2000',
    OBSERVE: '1',
    LOG_LEVEL: 'silent',
  }
  expect(readConfig(full)).toEqual({
    secrets: ['whsec_current', 'whsec_previous'],
    toleranceSeconds: 60,
    host: '::1',
    port: 0,
    inbox: 'memory',
    bodyLimitBytes: 2000,
    observe: true,
    logLevel: 'silent',
  })
  const emptied = Object.fromEntries(Object.keys(full).map((name) => [name, '']))
  expect(readConfig({ ...emptied, ...env })).toEqual(readConfig(env))
})

describe('a wrong variable is named, with what to give instead', () => {
  it.each([
    [{ WEBHOOK_SECRET: undefined }, 'WEBHOOK_SECRET is not set', 'signing secret'],
    [{ WEBHOOK_SECRET: '' }, 'WEBHOOK_SECRET is not set', 'signing secret'],
    [{ WEBHOOK_SECRET: ' \t' }, 'WEBHOOK_SECRET is blank', 'signing secret'],
    [{ WEBHOOK_SECRET_PREVIOUS: ' ' }, 'WEBHOOK_SECRET_PREVIOUS is blank', 'leave it out'],
    [{ TOLERANCE_SECONDS: '0' }, 'TOLERANCE_SECONDS is "0"', 'from 1 to 86400'],
    [{ TOLERANCE_SECONDS: 'NaN' }, 'TOLERANCE_SECONDS is "NaN"', 'whole number'],
    [{ TOLERANCE_SECONDS: 'Infinity' }, 'TOLERANCE_SECONDS', 'whole number'],
    [{ PORT: '65536' }, 'PORT is "65536"', 'from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT is "-1"', 'from 0 to 65535'],
    [{ PORT: '0x10' }, 'PORT', 'whole number'],
    [{ PORT: '3000 ' }, 'PORT is "3000 "', 'whole number'],
    [{ BODY_LIMIT_BYTES: '1mb' }, 'BODY_LIMIT_BYTES is "1mb"', 'whole number'],
    [{ OBSERVE: 'yes' }, 'OBSERVE is "yes"', '0, 1'],
    [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL is "INFO"', 'info, warn'],
  ])('%j', (wrong, named, mend) => {
    const read = () => readConfig({ ...env, ...wrong })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(named)
    expect(read).toThrow(mend)
    expect(read).not.toThrow('whsec_current')
  })
})
