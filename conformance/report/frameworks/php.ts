import type { Snippet } from './snippet.ts'

const HMAC = `$valid = hash_equals(hash_hmac('sha256', "$t.$body", $secret), $v1); // $t and $v1: text, '' if missing`

/** Refuses, in the words of a framework. */
const statuses = (answer: (status: number) => string): string =>
  `if ($t === '' || $v1 === '' || $outsideWindow) { ${answer(400)} } // missing, malformed, or over 300 s off
if (!$valid) { ${answer(401)} } // wrong signature
${answer(200)} // only after the delivery is stored`

/** PHP and its frameworks. */
export const PHP = {
  laravel: {
    title: 'Laravel',
    language: 'php',
    open: `// routes/api.php
Route::post('/webhooks', function (Request $request) use ($secret) {
    $body = $request->getContent(); // the raw bytes, instead of $request->all()`,
    hmac: HMAC,
    status: statuses((status) => `return response('', ${status});`),
    close: '});',
    indent: '    ',
  },
  php: {
    title: 'PHP',
    language: 'php',
    open: `$body = file_get_contents('php://input'); // the raw bytes, instead of $_POST`,
    hmac: HMAC,
    status: statuses((status) => `http_response_code(${status});${status === 200 ? '' : ' exit;'}`),
    close: '',
    indent: '',
  },
} as const satisfies Readonly<Record<string, Snippet>>
