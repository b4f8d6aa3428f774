import { shellQuoted } from '../../../fixtures/shell.ts'

/**
 * A shell script that sends a delivery as the service does. It signs when it runs, since a copied signature is stale
 * after five minutes (interface 5.3 rule 4). It needs openssl and curl.
 * @param delivery url: the destination; body: the exact bytes, in UTF-8; secret: the recipient's signing secret
 */
export function curlScript({ url, body, secret }: { url: string; body: Uint8Array; secret: string }): string {
  const text = new TextDecoder().decode(body)
  return [
    `body=${shellQuoted([text])}`,
    't=$(date +%s)',
    `v1=$(printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -hmac ${shellQuoted([secret])} -r | cut -d ' ' -f 1)`,
    `printf '%s' "$body" | curl -i ${shellQuoted([url])} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "X-Service-Signature: t=$t,v1=$v1" \\`,
    '  --data-binary @-',
  ].join('\n')
}
