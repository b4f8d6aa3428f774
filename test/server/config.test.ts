import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { ConfigError, readConfig } from '../../server/config.ts'

const env = { WEBHOOK_SECRET: 'whsec_current' }

test('only the secret is needed', () => {
  expect(readConfig(env)).toEqual({
    secrets: ['whsec_current'],
    toleranceSeconds: 300,
    host: '127.0.0.1',
    port: 3000,
    inbox: './inbox.sqlite',
    retentionDays: 90,
    maxAttempts: 36,
    bodyLimitBytes: 1_048_576,
    bodyTimeoutSeconds: 10,
    maxWaiting: 1000,
    maxHeldBytes: 67_108_864,
    maxConnections: 10_000,
    maxStoreSeconds: 2,
    drainSeconds: 0,
    stopSeconds: 10,
    metrics: undefined,
    observe: false,
    logLevel: 'info',
  })
})

test('reads every variable', () => {
  const full = {
    ...env,
    WEBHOOK_SECRET_PREVIOUS: 'whsec_previous',
    TOLERANCE_SECONDS: '60',
    HOST: '::1',
    PORT: '0',
    INBOX: 'memory',
    RETENTION_DAYS: '30',
    MAX_ATTEMPTS: '3',
    BODY_LIMIT_BYTES: '2000',
    BODY_TIMEOUT_SECONDS: '5',
    MAX_WAITING: '10',
    MAX_HELD_BYTES: '2000',
    MAX_CONNECTIONS: '100',
    MAX_STORE_SECONDS: '3',
    DRAIN_SECONDS: '15',
    STOP_SECONDS: '20',
    METRICS_HOST: '::1',
    METRICS_PORT: '0',
    OBSERVE: '1',
    LOG_LEVEL: 'silent',
  }
  expect(readConfig(full)).toEqual({
    secrets: ['whsec_current', 'whsec_previous'],
    toleranceSeconds: 60,
    host: '::1',
    port: 0,
    inbox: 'memory',
    retentionDays: 30,
    maxAttempts: 3,
    bodyLimitBytes: 2000,
    bodyTimeoutSeconds: 5,
    maxWaiting: 10,
    maxHeldBytes: 2000,
    maxConnections: 100,
    maxStoreSeconds: 3,
    drainSeconds: 15,
    stopSeconds: 20,
    metrics: { host: '::1', port: 0 },
    observe: true,
    logLevel: 'silent',
  })
  const emptied = Object.fromEntries(Object.keys(full).map((name) => [name, '']))
  expect(readConfig({ ...emptied, ...env })).toEqual(readConfig(env))
})

test('the memory limit allows at least one body of the maximum size', () => {
  expect(readConfig({ ...env, BODY_LIMIT_BYTES: '100000000' }).maxHeldBytes).toBe(100_000_000)
  const less = () => readConfig({ ...env, BODY_LIMIT_BYTES: '2000', MAX_HELD_BYTES: '1999' })
  expect(less).toThrow('MAX_HELD_BYTES must be an integer from 2000 to')
})

test('docs/operations.md names every variable, with its default', () => {
  const read = new Set<string>()
  const watched = new Proxy<Record<string, string>>(env, {
    get(target, name) {
      read.add(String(name))
      return target[String(name)]
    },
  })
  const config = readConfig(watched)
  const rows = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8').matchAll(
    /^\| `([A-Z_]+)` \| (?:`([^`]+)`)?/gm,
  )
  const documented = new Map(Array.from(rows, ([, name = '', fallback = '']) => [name, fallback]))
  expect([...documented.keys()].toSorted()).toEqual([...read].toSorted())
  // Setting the documented defaults changes nothing.
  expect(readConfig({ ...Object.fromEntries(documented), ...env })).toEqual(config)
})

test('the secrets may be in a file instead', () => {
  expect(readConfig({ WEBHOOK_SECRET_FILE: 'secrets.txt', WEBHOOK_SECRET: '' }).secrets).toEqual({
    file: 'secrets.txt',
  })
})

test('trims whitespace around a secret', () => {
  const padded = { WEBHOOK_SECRET: ' whsec_current\n', WEBHOOK_SECRET_PREVIOUS: '\twhsec_previous ' }
  expect(readConfig(padded).secrets).toEqual(['whsec_current', 'whsec_previous'])
})

describe('an invalid variable is named, with the fix', () => {
  it.each([
    [{ WEBHOOK_SECRET: undefined }, 'WEBHOOK_SECRET is not set', 'signing secret'],
    [{ WEBHOOK_SECRET: '' }, 'WEBHOOK_SECRET is not set', 'signing secret'],
    [{ WEBHOOK_SECRET: ' \t' }, 'WEBHOOK_SECRET is blank', 'signing secret'],
    [{ WEBHOOK_SECRET_PREVIOUS: ' ' }, 'WEBHOOK_SECRET_PREVIOUS is blank', 'unset it'],
    [{ TOLERANCE_SECONDS: '0' }, 'TOLERANCE_SECONDS must be an integer', 'from 1 to 86400'],
    [{ TOLERANCE_SECONDS: 'NaN' }, 'TOLERANCE_SECONDS must be an integer', 'an integer'],
    [{ TOLERANCE_SECONDS: 'Infinity' }, 'TOLERANCE_SECONDS', 'an integer'],
    [{ PORT: '65536' }, 'PORT must be an integer', 'from 0 to 65535'],
    [{ PORT: '-1' }, 'PORT must be an integer', 'from 0 to 65535'],
    [{ PORT: '0x10' }, 'PORT', 'an integer'],
    [{ PORT: '3000 ' }, 'PORT must be an integer', 'an integer'],
    [{ METRICS_PORT: 'on' }, 'METRICS_PORT must be an integer', 'from 0 to 65535'],
    [{ BODY_TIMEOUT_SECONDS: '0' }, 'BODY_TIMEOUT_SECONDS must be an integer', 'from 1 to 3600'],
    [{ MAX_WAITING: '0' }, 'MAX_WAITING must be an integer', 'from 1 to 1000000'],
    [{ RETENTION_DAYS: '0' }, 'RETENTION_DAYS must be an integer', 'from 1 to 36500'],
    [{ MAX_ATTEMPTS: '1.5' }, 'MAX_ATTEMPTS must be an integer', 'from 1 to 1000'],
    [
      { WEBHOOK_SECRET_FILE: 'secrets.txt' },
      'WEBHOOK_SECRET_FILE cannot be combined',
      'unset WEBHOOK_SECRET_FILE',
    ],
    [
      { WEBHOOK_SECRET: '', WEBHOOK_SECRET_PREVIOUS: 'whsec_current', WEBHOOK_SECRET_FILE: 'secrets.txt' },
      'WEBHOOK_SECRET_FILE cannot be combined',
      'in the file',
    ],
    [{ BODY_LIMIT_BYTES: '1mb' }, 'BODY_LIMIT_BYTES must be an integer', 'an integer'],
    [{ OBSERVE: 'yes' }, 'OBSERVE must be one of', '0, 1'],
    [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL must be one of', 'info, warn'],
  ])('%j', (wrong, name, fix) => {
    const read = () => readConfig({ ...env, ...wrong })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(name)
    expect(read).toThrow(fix)
    expect(read).not.toThrow('whsec_current')
  })
})
