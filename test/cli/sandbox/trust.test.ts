import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { expect } from 'vitest'
import { certificateFor } from '../../sandbox/deliveries/support.ts'
import { missingProgram, requires } from '../../support/prerequisites.ts'
import { hookproof, recorder, start, temporaryFolder } from '../support.ts'
import { interrupted, printed, startSandbox } from './support.ts'

const openssl = requires(missingProgram('openssl', 'version'))

const REFUSED =
  /\n[\d:]+ {2}<-- payment\.failed +tx_\w+ (?: attempt \d+ )? certificate in \d+ ms: the TLS handshake failed: [^\n]*\(DEPTH_ZERO_SELF_SIGNED_CERT\); pass it as --ca, or accept any with --insecure {2}http\S+\n/

openssl.test(
  'forwards to a receiver with a self-signed certificate only with --insecure or --ca',
  async () => {
    const on = await startSandbox()
    const { key, cert } = certificateFor('DNS:localhost')
    const { url: plain, seen } = await recorder(undefined, createServer({ key, cert }))
    const url = `${plain.replace('http://127.0.0.1', 'https://localhost')}/webhooks`
    const words = ['listen', '--sandbox', on.url, '--forward-to', url]

    const strict = start(words)
    await printed(strict, 'Ctrl-C to stop')
    await hookproof(['trigger', 'payment.failed', '--sandbox', on.url])
    await printed(strict, REFUSED)
    expect(seen).toEqual([])
    expect(await interrupted(strict)).toBe(0)

    const lenient = start([...words, '--insecure'])
    await printed(lenient, 'Ctrl-C to stop')
    await printed(lenient, /<-- payment\.failed .* 200 in \d+ ms/)
    expect(seen).toHaveLength(1)
    expect(await interrupted(lenient)).toBe(0)

    const again = start(words)
    await printed(again, 'Ctrl-C to stop')
    await hookproof(['trigger', 'payment.failed', '--sandbox', on.url])
    await printed(again, REFUSED)
    expect(seen).toHaveLength(1)
    expect(await interrupted(again)).toBe(0)

    const ca = join(temporaryFolder(), 'ca.pem')
    writeFileSync(ca, cert)
    await printed(start([...words, '--ca', ca]), /<-- payment\.failed .* 200 in \d+ ms/)
  },
)
