import type { RequestHandler } from 'express'

/** The default User-Agents of HTTP clients. */
const AUTOMATED =
  /^(curl|wget|python|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|node|undici|axios|got|ruby|faraday|guzzlehttp|php|perl|libwww|postmanruntime|insomnia)\b/i

const PAGE = `<!doctype html>
<html lang="en">
<title>Access denied</title>
<h1>Error 1010</h1>
<p>The owner of this service has banned your access based on the signature of your client.</p>
<p>Set an explicit User-Agent that names your application.</p>
</html>
`

/** Acts like the edge network in front of the service: blocks a User-Agent that is missing or looks automated. Interface 5.2. */
export const botProtection: RequestHandler = (request, response, next) => {
  const agent = request.get('User-Agent')?.trim() ?? ''
  if (agent !== '' && !AUTOMATED.test(agent)) return next()
  response.status(403).type('html').send(PAGE)
}
