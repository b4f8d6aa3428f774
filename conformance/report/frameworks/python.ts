import type { Snippet } from './snippet.ts'

/** Bytes, since compare_digest raises an error for text beyond ASCII. */
const verifying = (header: string, refuse: (status: 400 | 401) => string): string =>
  `    entries = [entry.partition("=") for entry in ${header}.split(",")]
    t = next((value for label, _, value in entries if label == "t"), "")
    signatures = [value.encode() for label, _, value in entries if label == "v1"]
    if not (t.isascii() and t.isdigit() and len(t) <= 12 and signatures):
        return ${refuse(400)}  # missing or malformed
    if abs(int(time.time()) - int(t)) > 300:
        return ${refuse(400)}  # outside the window
    expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    if not any(hmac.compare_digest(v1, expected) for v1 in signatures):
        return ${refuse(401)}  # wrong signature
    # Now parse the JSON and store the event; answer 200 only after that.`

/** Frameworks of Python. */
export const PYTHON = {
  flask: {
    title: 'Flask',
    language: 'python',
    code: `import hashlib, hmac, time
@app.post("/webhooks")
def webhooks():
    body = request.get_data()  # the raw bytes, instead of request.json
${verifying('request.headers.get("X-Service-Signature", "")', (status) => `"", ${status}`)}
    return "", 200`,
  },
  fastapi: {
    title: 'FastAPI',
    language: 'python',
    code: `import hashlib, hmac, time
@app.post("/webhooks")
async def webhooks(request: Request):
    body = await request.body()  # the raw bytes, instead of a model as a parameter
${verifying('request.headers.get("X-Service-Signature", "")', (status) => `Response(status_code=${status})`)}
    return Response(status_code=200)`,
  },
  django: {
    title: 'Django',
    language: 'python',
    code: `import hashlib, hmac, time
@csrf_exempt
@require_POST
def webhooks(request):
    body = request.body  # the raw bytes, before request.POST is read
${verifying('request.headers.get("X-Service-Signature", "")', (status) => `HttpResponse(status=${status})`)}
    return HttpResponse(status=200)`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
