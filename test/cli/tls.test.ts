import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { certificateFor } from '../sandbox/deliveries/support.ts'
import { missingProgram, requires } from '../support/prerequisites.ts'
import { hookproof, recorder, temporaryFolder } from './support.ts'

const openssl = requires(missingProgram('openssl', 'version'))

/** A server with a self-signed certificate that accepts everything and shows no effects. */
async function selfSigned() {
  const folder = temporaryFolder()
  const { key, cert } = certificateFor('DNS:localhost')
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, cert)
  const served = await recorder(
    ({ method }, response) => response.end(method === 'GET' ? '{"effects":[]}' : ''),
    createServer({ key, cert }),
  )
  return { url: served.url.replace('http://127.0.0.1', 'https://localhost'), ca }
}

const CHECKED = ['--only', 'events/completed', '--only', 'transport/pipelined*']

openssl.test('a self-signed certificate is refused by every command, with the ways to trust it', async () => {
  const { url } = await selfSigned()
  for (const words of [
    ['check', url, ...CHECKED],
    ['check', url, '--observe', url, ...CHECKED],
    ['send', 'payment.completed', url],
    ['load', url, '--duration', '0.1'],
  ]) {
    const { code, stderr } = await hookproof(words)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /could not reach https:\/\/localhost[^\n]* \(DEPTH_ZERO_SELF_SIGNED_CERT\); the certificate is self-signed or from an unknown CA: trust it with --ca or NODE_EXTRA_CA_CERTS, or skip the check with --insecure \[unreachable\]\n$/,
    )
  }
})

openssl.test('--ca and --insecure trust it, for deliveries and for observations', async () => {
  const { url, ca } = await selfSigned()
  for (const trust of [['--ca', ca], ['--insecure']]) {
    const checked = ['check', url, '--profile', 'core', ...CHECKED]
    expect(await hookproof([...checked, '--observe', url, ...trust])).toMatchObject({ code: 0 })
    expect(await hookproof(['send', 'payment.completed', url, ...trust])).toMatchObject({ code: 0 })
    expect(await hookproof(['load', url, '--duration', '0.1', ...trust])).toMatchObject({ code: 0 })
  }
})

openssl.test('the config file names the certificates relative to itself', async () => {
  const { url, ca } = await selfSigned()
  const config = join(ca, '../hookproof.config.json')
  writeFileSync(config, JSON.stringify({ url, ca: 'ca.pem', only: ['events/completed'] }))
  expect(await hookproof(['check', '--config', config])).toMatchObject({ code: 0 })
  writeFileSync(config, JSON.stringify({ url, insecure: true, only: ['events/completed'] }))
  expect(await hookproof(['check', '--config', config])).toMatchObject({ code: 0 })
})

test.each([
  ['is missing', undefined, /cannot read the certificates .*no such file.*--ca/],
  ['is not PEM', 'a certificate', /is not a certificate in PEM.*--ca/],
  [
    'is broken',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    /is not a certificate in PEM.*--ca/,
  ],
])('exits with 2 when the file of --ca %s', async (_, content, expected) => {
  const ca = join(temporaryFolder(), 'ca.pem')
  if (content !== undefined) writeFileSync(ca, content)
  const { code, stderr } = await hookproof(['check', 'https://localhost:9/', '--ca', ca])
  expect(code).toBe(2)
  expect(stderr).toMatch(expected)
})
