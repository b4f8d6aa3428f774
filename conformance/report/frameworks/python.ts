import type { Snippet } from './snippet.ts'

/** Frameworks of Python. */
export const PYTHON = {
  flask: {
    title: 'Flask',
    language: 'python',
    code: `@app.post("/webhooks")
def webhooks():
    body = request.get_data()  # the raw bytes, instead of request.json
    return "", 200`,
  },
  fastapi: {
    title: 'FastAPI',
    language: 'python',
    code: `@app.post("/webhooks")
async def webhooks(request: Request):
    body = await request.body()  # the raw bytes, instead of a model as a parameter
    return Response(status_code=200)`,
  },
  django: {
    title: 'Django',
    language: 'python',
    code: `@csrf_exempt
@require_POST
def webhooks(request):
    body = request.body  # the raw bytes, before request.POST is read
    return HttpResponse(status=200)`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
