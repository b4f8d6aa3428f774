import type { Snippet } from './snippet.ts'

const IMPORT = "import { createHmac, timingSafeEqual } from 'node:crypto'"

/** Verifies `body` against the header, in the words of a framework. */
const verifying = (header: string, refuse: (status: 400 | 401) => string, string = ''): string =>
  `const valuesOf = (label${string}) => ${header}.split(',').flatMap((entry) =>
  entry.startsWith(\`\${label}=\`) ? entry.slice(label.length + 1) : [])
const [[t = ''], signatures] = [valuesOf('t'), valuesOf('v1')]
if (!/^\\d{1,12}$/.test(t) || signatures.length === 0) ${refuse(400)} // missing or malformed
if (Math.abs(Math.floor(Date.now() / 1000) - Number(t)) > 300) ${refuse(400)} // outside the window
const expected = Buffer.from(createHmac('sha256', secret).update(\`\${t}.\`).update(body).digest('hex'))
const isExpected = (v1${string}) => v1.length === 64 && timingSafeEqual(Buffer.from(v1, 'latin1'), expected)
if (!signatures.some(isExpected)) ${refuse(401)} // wrong signature
// Now parse the JSON and store the event; answer 200 only after that.`

const indented = (code: string, by: number) => code.replace(/^/gm, ' '.repeat(by))

/** Frameworks of Node.js and of the web's Request and Response. */
export const JAVASCRIPT = {
  express: {
    title: 'Express',
    language: 'js',
    code: `${IMPORT}
app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (req, res) => { // before express.json()
  const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0) // the raw bytes
${indented(
  verifying("(req.get('X-Service-Signature') ?? '')", (status) => `return res.status(${status}).end()`),
  2,
)}
  return res.status(200).end()
})`,
  },
  fastify: {
    title: 'Fastify',
    language: 'js',
    code: `${IMPORT}
app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.post('/webhooks', async (request, reply) => {
    const body = request.body ?? Buffer.alloc(0) // the raw bytes, a Buffer
${indented(
  verifying(
    "String(request.headers['x-service-signature'] ?? '')",
    (status) => `return reply.code(${status}).send()`,
  ),
  4,
)}
    return reply.code(200).send()
  })
})`,
  },
  next: {
    title: 'Next.js',
    language: 'ts',
    code: `// app/webhooks/route.ts
${IMPORT}
export async function POST(request: Request) {
  const body = Buffer.from(await request.arrayBuffer()) // the raw bytes, instead of request.json()
${indented(
  verifying(
    "(request.headers.get('x-service-signature') ?? '')",
    (status) => `return new Response(null, { status: ${status} })`,
    ': string',
  ),
  2,
)}
  return new Response(null, { status: 200 })
}`,
  },
  nest: {
    title: 'Nest',
    language: 'ts',
    code: `// In main.ts: NestFactory.create(AppModule, { rawBody: true })
${IMPORT}
@Post('webhooks') @HttpCode(200) // without HttpCode a POST answers 201
receive(@Req() request: RawBodyRequest<Request>) {
  const body = request.rawBody ?? Buffer.alloc(0) // the raw bytes of JSON
${indented(
  verifying(
    "(request.get('X-Service-Signature') ?? '')",
    (status) => `throw new ${status === 400 ? 'BadRequest' : 'Unauthorized'}Exception()`,
    ': string',
  ),
  2,
)}
}`,
  },
  hono: {
    title: 'Hono',
    language: 'ts',
    code: `${IMPORT}
app.post('/webhooks', async (c) => {
  const body = Buffer.from(await c.req.arrayBuffer()) // the raw bytes, instead of c.req.json()
${indented(
  verifying(
    "(c.req.header('X-Service-Signature') ?? '')",
    (status) => `return c.body(null, ${status})`,
    ': string',
  ),
  2,
)}
  return c.body(null, 200)
})`,
  },
  koa: {
    title: 'Koa',
    language: 'js',
    code: `${IMPORT}
import getRawBody from 'raw-body'
router.post('/webhooks', async (ctx) => { // before any body parser
  const body = await getRawBody(ctx.req, { limit: '1mb' }) // the raw bytes, a Buffer
${indented(
  verifying("ctx.get('X-Service-Signature')", (status) => `ctx.throw(${status})`),
  2,
)}
  ctx.status = 200
})`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
