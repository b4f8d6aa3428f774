import type { Snippet } from './snippet.ts'

const HMAC = `const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(body).digest()
const valid = /^[0-9a-f]{64}$/.test(v1) && timingSafeEqual(Buffer.from(v1, 'hex'), expected)`

/** Refuses, in the words of a framework. */
const statuses = (answer: (status: number) => string): string =>
  `if (!t || !v1 || outsideWindow) return ${answer(400)} // missing, malformed, or over 300 s off
if (!valid) return ${answer(401)} // wrong signature
return ${answer(200)} // only after the delivery is stored`

/** Frameworks of Node.js and of the web's Request and Response. */
export const JAVASCRIPT = {
  express: {
    title: 'Express',
    language: 'js',
    open: `// Before app.use(express.json())
app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (req, res) => {
  const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0) // the raw bytes`,
    hmac: HMAC,
    status: statuses((status) => `res.status(${status}).end()`),
    close: '})',
    indent: '  ',
  },
  fastify: {
    title: 'Fastify',
    language: 'js',
    open: `app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.post('/webhooks', async (request, reply) => {
    const body = request.body ?? Buffer.alloc(0) // the raw bytes, a Buffer`,
    hmac: HMAC,
    status: statuses((status) => `reply.code(${status}).send()`),
    close: `  })
})`,
    indent: '    ',
  },
  next: {
    title: 'Next.js',
    language: 'ts',
    open: `// app/webhooks/route.ts
export async function POST(request: Request) {
  const body = Buffer.from(await request.arrayBuffer()) // the raw bytes, instead of request.json()`,
    hmac: HMAC,
    status: statuses((status) => `new Response(null, { status: ${status} })`),
    close: '}',
    indent: '  ',
  },
  nest: {
    title: 'Nest',
    language: 'ts',
    open: `const app = await NestFactory.create(AppModule, { rawBody: true })
// In the controller: without HttpCode a POST answers 201.
@Post('webhooks') @HttpCode(200)
receive(@Req() request: RawBodyRequest<Request>) {
  const body = request.rawBody ?? Buffer.alloc(0) // the raw bytes of JSON`,
    hmac: HMAC,
    status: `if (!t || !v1 || outsideWindow) throw new BadRequestException() // missing, malformed, or over 300 s off
if (!valid) throw new UnauthorizedException() // wrong signature; return only after the delivery is stored`,
    close: '}',
    indent: '  ',
  },
  hono: {
    title: 'Hono',
    language: 'ts',
    open: `app.post('/webhooks', async (c) => {
  const body = Buffer.from(await c.req.arrayBuffer()) // the raw bytes, instead of c.req.json()`,
    hmac: HMAC,
    status: statuses((status) => `c.body(null, ${status})`),
    close: '})',
    indent: '  ',
  },
  koa: {
    title: 'Koa',
    language: 'js',
    open: `// Before any body parser, with getRawBody from the package raw-body
router.post('/webhooks', async (ctx) => {
  const body = await getRawBody(ctx.req, { limit: '1mb' }) // the raw bytes, a Buffer`,
    hmac: HMAC,
    status: `if (!t || !v1 || outsideWindow) ctx.throw(400) // missing, malformed, or over 300 s off
if (!valid) ctx.throw(401) // wrong signature
ctx.status = 200 // only after the delivery is stored`,
    close: '})',
    indent: '  ',
  },
} as const satisfies Readonly<Record<string, Snippet>>
