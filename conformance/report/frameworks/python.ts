import type { Snippet } from './snippet.ts'

/** Bytes, since compare_digest raises an error for text beyond ASCII. */
const HMAC = `expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
valid = hmac.compare_digest(expected.encode(), v1.encode())`

/** Refuses, in the words of a framework. */
const statuses = (answer: (status: number) => string): string =>
  `if not t or not v1 or outside_window: return ${answer(400)}  # missing, malformed, or over 300 s off
if not valid: return ${answer(401)}  # wrong signature
return ${answer(200)}  # only after the delivery is stored`

/** Frameworks of Python. */
export const PYTHON = {
  flask: {
    title: 'Flask',
    language: 'python',
    open: `@app.post("/webhooks")
def webhooks():
    body = request.get_data()  # the raw bytes, instead of request.json`,
    hmac: HMAC,
    status: statuses((status) => `"", ${status}`),
    close: '',
    indent: '    ',
  },
  fastapi: {
    title: 'FastAPI',
    language: 'python',
    open: `@app.post("/webhooks")
async def webhooks(request: Request):
    body = await request.body()  # the raw bytes, instead of a model as a parameter`,
    hmac: HMAC,
    status: statuses((status) => `Response(status_code=${status})`),
    close: '',
    indent: '    ',
  },
  django: {
    title: 'Django',
    language: 'python',
    open: `@csrf_exempt
@require_POST
def webhooks(request):
    body = request.body  # the raw bytes, before request.POST is read`,
    hmac: HMAC,
    status: statuses((status) => `HttpResponse(status=${status})`),
    close: '',
    indent: '    ',
  },
} as const satisfies Readonly<Record<string, Snippet>>
