import type { Snippet } from './snippet.ts'

/** Frameworks of Node.js and of the web's Request and Response. */
export const JAVASCRIPT = {
  express: {
    title: 'Express',
    language: 'js',
    code: `// Before app.use(express.json())
app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), (req, res) => {
  const body = req.body // the raw bytes, a Buffer
  res.status(200).end()
})`,
  },
  fastify: {
    title: 'Fastify',
    language: 'js',
    code: `app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  // request.body is a Buffer with the raw bytes.
  scope.post('/webhooks', async (request, reply) => reply.code(200).send())
})`,
  },
  next: {
    title: 'Next.js',
    language: 'ts',
    code: `// app/webhooks/route.ts
export async function POST(request: Request) {
  const body = Buffer.from(await request.arrayBuffer()) // the raw bytes, instead of request.json()
  return new Response(null, { status: 200 })
}`,
  },
  nest: {
    title: 'Nest',
    language: 'ts',
    code: `const app = await NestFactory.create(AppModule, { rawBody: true })
// In the controller: without HttpCode a POST answers 201.
@Post('webhooks') @HttpCode(200)
receive(@Req() request: RawBodyRequest<Request>) {
  const body = request.rawBody // the raw bytes of JSON, a Buffer
}`,
  },
  hono: {
    title: 'Hono',
    language: 'ts',
    code: `app.post('/webhooks', async (c) => {
  const body = Buffer.from(await c.req.arrayBuffer()) // the raw bytes, instead of c.req.json()
  return c.body(null, 200)
})`,
  },
  koa: {
    title: 'Koa',
    language: 'js',
    code: `// Before any body parser, with getRawBody from the package raw-body
router.post('/webhooks', async (ctx) => {
  const body = await getRawBody(ctx.req, { limit: '1mb' }) // the raw bytes, a Buffer
  ctx.status = 200
})`,
  },
} as const satisfies Readonly<Record<string, Snippet>>
