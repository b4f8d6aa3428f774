import type { Snippet } from './snippet.ts'

const verifying = (header: string, refuse: (status: 400 | 401) => string): string =>
  `$t = '';
$signatures = [];
foreach (explode(',', ${header}) as $entry) {
    [$label, $value] = explode('=', $entry, 2) + [1 => ''];
    if ($label === 't' && $t === '') { $t = $value; }
    if ($label === 'v1') { $signatures[] = $value; }
}
if (!preg_match('/^[0-9]{1,12}$/D', $t) || !$signatures) { ${refuse(400)} } // missing or malformed
if (abs(time() - (int) $t) > 300) { ${refuse(400)} } // outside the window
$expected = hash_hmac('sha256', "$t.$body", $secret);
if (!array_filter($signatures, fn ($v1) => hash_equals($expected, $v1))) { ${refuse(401)} } // wrong signature
// Now parse the JSON and store the event; answer 200 only after that.`

/** PHP and its frameworks. */
export const PHP = {
  laravel: {
    title: 'Laravel',
    language: 'php',
    code: `// routes/api.php: a route in routes/web.php requires a CSRF token
Route::post('/webhooks', function (Request $request) use ($secret) {
    $body = $request->getContent(); // the raw bytes, instead of $request->all()
${verifying(
  "(string) $request->header('X-Service-Signature')",
  (status) => `return response('', ${status});`,
).replace(/^/gm, '    ')}
    return response('', 200);
});`,
  },
  php: {
    title: 'PHP',
    language: 'php',
    code: `$body = file_get_contents('php://input'); // the raw bytes, instead of $_POST
${verifying("$_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? ''", (status) => `http_response_code(${status}); exit;`)}
http_response_code(200);`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
