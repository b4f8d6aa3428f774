/**
 * A shell script that sends a delivery as the service does, signed at the moment it runs: a signature that was copied
 * would be stale after five minutes (interface 5.3 rule 4). It needs openssl and curl.
 * @param delivery url: where to; body: the exact bytes, in UTF-8; secret: the recipient's signing secret
 */
export function curlScript({ url, body, secret }: { url: string; body: Uint8Array; secret: string }): string {
  const text = new TextDecoder().decode(body)
  return [
    `body=${quoted(text)}`,
    't=$(date +%s)',
    `v1=$(printf '%s.%s' "$t" "$body" | openssl dgst -sha256 -hmac ${quoted(secret)} -r | cut -d ' ' -f 1)`,
    `printf '%s' "$body" | curl -i ${quoted(url)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H "X-Service-Signature: t=$t,v1=$v1" \\`,
    '  --data-binary @-',
  ].join('\n')
}

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
